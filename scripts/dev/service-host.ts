import { type ChildProcess, fork } from 'node:child_process'
import { projectPath } from '../pipeline/project.ts'
import { type Attempt, type AttemptOptions, begin, type Known, send } from './service-attempt.ts'
import { endProcess } from './worker.ts'

/** Runs the service in processes of their own, one after the other. */
export interface ServiceHost {
  /** Puts what is saved now into service; the service before it answers until that is done. */
  readonly restart: () => Promise<Attempt>
  /** Makes ready for the next restart, so that it takes less time. */
  readonly prepare: () => void
  /** The port that the service listens on; waits while there is none. */
  readonly port: () => Promise<number>
  readonly stop: () => Promise<void>
}

export interface ServiceHostOptions extends AttemptOptions {
  /** A file descriptor that takes what the service writes. */
  readonly log: number
  /** Told what newcomers should read. */
  readonly onNotice: (notice: string) => void
  /** Told when the service ended by itself. */
  readonly onEnded: (how: string) => void
}

const program = projectPath('server/dev/service-process.ts')

/** Makes a host; nothing runs before it is told to. */
export function createServiceHost(options: ServiceHostOptions): ServiceHost {
  let known: Known = {}
  let standby: ChildProcess | undefined
  let serving: ChildProcess | undefined
  let port = Promise.withResolvers<number>()
  let isStopped = false
  const pool = createPool(options.log, forget)

  function forget(child: ChildProcess, how: string): void {
    if (standby === child) standby = undefined
    if (serving !== child) return
    serving = undefined
    port = Promise.withResolvers()
    options.onEnded(how)
  }

  async function findOrigin(host: string, wantedPort: number): Promise<string> {
    const origin = known.origin ?? (await options.onWanted(host, wantedPort))
    known = { ...known, origin }
    return origin
  }

  return {
    async restart() {
      if (isStopped) return { kind: 'failed', message: 'The loop is ending.' }
      const child = standby ?? pool.start()
      standby = undefined
      const result = await begin(child, known, { ...options, onWanted: findOrigin })
      if (result.kind === 'failed') {
        await endProcess(child)
        return result
      }
      if (result.notice !== '') options.onNotice(result.notice)
      if (result.key !== undefined) known = { ...known, key: result.key }
      const before = serving
      serving = child
      if (before !== undefined) port = Promise.withResolvers()
      port.resolve(result.port)
      // It finishes what it has begun; nothing new is sent there.
      if (before !== undefined) send(before, { kind: 'stop' })
      return result
    },
    prepare() {
      if (!isStopped) standby ??= pool.start()
    },
    port: () => port.promise,
    stop() {
      isStopped = true
      serving = undefined
      return pool.end()
    },
  }
}

/** The processes of the service that run now. */
function createPool(log: number, onExit: (child: ChildProcess, how: string) => void) {
  const running = new Set<ChildProcess>()
  return {
    start(): ChildProcess {
      const child = fork(program, { stdio: ['ignore', log, log, 'ipc'] })
      running.add(child)
      child.once('exit', (status, signal) => {
        running.delete(child)
        onExit(child, String(signal ?? `status ${status}`))
      })
      return child
    },
    async end(): Promise<void> {
      await Promise.all([...running].map((child) => endProcess(child)))
    },
  }
}
