import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { projectPath } from '../pipeline/project.ts'
import type { LoggedRequest, MessageToLoop } from './design-service.ts'

type Message<Kind> = Extract<MessageToLoop, { kind: Kind }>

/** How an attempt to serve ended. */
type Attempt = Message<'ready'> | Message<'failed'>

interface ServiceHostOptions {
  /** A file descriptor for the output of the service. */
  readonly log: number
  readonly onRequest: (request: LoggedRequest) => void
  /** Called when the service has ended without being asked to. */
  readonly onEnded: (how: string) => void
}

/** Milliseconds that processes have to stop before they are killed. */
const grace = 2_000

/**
 * Runs the service in a process of its own. A new one takes over when it is ready: processes of a
 * cluster share the port, so that no request is lost, and one that fails replaces nothing.
 */
export class ServiceHost {
  readonly #options: ServiceHostOptions
  #key: string | undefined
  #serving: Worker | undefined

  constructor(options: ServiceHostOptions) {
    const { log } = options
    this.#options = options
    const exec = projectPath('scripts/dev/service-process.ts')
    cluster.setupPrimary({ exec, args: [], stdio: ['ignore', log, log, 'ipc'] })
  }

  /**
   * Loads the project in a new process, which serves in place of the one before when it is ready;
   * aborted before that, it ends.
   */
  async serve(signal: AbortSignal): Promise<Attempt> {
    const environment = this.#key === undefined ? {} : { DEV_API_KEY: this.#key }
    // A message to a process that has ended is an error; the `exit` event says why the process ended.
    const worker = cluster.fork(environment).on('error', () => undefined)
    const kill = () => worker.process.kill('SIGKILL')
    signal.addEventListener('abort', kill)
    const attempt = await this.#start(worker)
    signal.removeEventListener('abort', kill)
    if (attempt.kind === 'failed') {
      kill()
      return attempt
    }

    const processBefore = this.#serving
    this.#serving = worker
    this.#key = attempt.key ?? this.#key
    // The process before may get requests until it has ended.
    if (processBefore !== undefined) {
      await end(processBefore)
    }
    return attempt
  }

  /** Stops all processes. */
  async stop(): Promise<void> {
    this.#serving = undefined
    const workers = Object.values(cluster.workers ?? {})
    await Promise.all(workers.map((worker) => worker && end(worker)))
  }

  #start(worker: Worker): Promise<Attempt> {
    return new Promise((resolve) => {
      let reportedError: string | undefined
      worker.once('exit', (status, signal) => {
        const how = reportedError ?? signal ?? `status ${status}`
        resolve({ kind: 'failed', message: `it ended (${how})` })
        if (this.#serving === worker) {
          this.#serving = undefined
          this.#options.onEnded(how)
        }
      })

      worker.on('message', (message: MessageToLoop) => {
        if (message.kind === 'request') {
          this.#options.onRequest(message.request)
          return
        }
        if (message.kind === 'failed') {
          reportedError = message.message
        }
        resolve(message)
      })
    })
  }
}

/** Lets a process finish its requests and end; kills it if it does not. */
async function end(worker: Worker): Promise<void> {
  if (worker.isDead()) {
    return
  }
  const exited = once(worker, 'exit')
  const timer = setTimeout(() => worker.process.kill('SIGKILL'), grace)
  worker.process.kill()
  await exited
  clearTimeout(timer)
}
