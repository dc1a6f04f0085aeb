import { type ChildProcess, type SpawnOptions, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

/** The root of the project. */
export const project = fileURLToPath(new URL('..', import.meta.url))

const probe = new URL('./probe.ts', import.meta.url).href
const children = new Set<ChildProcess>()
const folders = new Set<string>()

process.on('exit', () => {
  for (const child of children) {
    child.kill('SIGKILL')
  }
  for (const folder of folders) {
    rmSync(folder, { recursive: true, force: true })
  }
})
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => process.exit(1))
}

/** Creates a folder that is removed when this process exits. */
export function createFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'bench-'))
  folders.add(folder)
  return folder
}

/** Starts a process that is killed when this one exits. */
export function start(words: readonly string[], options: SpawnOptions): ChildProcess {
  const [command = '', ...args] = words
  const child = spawn(command, args, options)
  children.add(child)
  child.once('exit', () => children.delete(child))
  return child
}

/** Stops a process, and waits until it is gone. */
export async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) {
    return
  }
  const exit = once(child, 'exit')
  child.kill()
  await exit
}

/** Stops every process that is running. */
export async function stopAll(): Promise<void> {
  await Promise.all([...children].map(stop))
}

/** Whether servers and load have a core each; else they share one. */
export const hasTwoCores = spawnSync('taskset', ['-c', '0,1', 'true']).status === 0

/** Returns a command that runs on the core of the measured servers, or on that of the load. */
export function pinned(role: 'server' | 'load', words: readonly string[]): readonly string[] {
  return hasTwoCores ? ['taskset', '-c', role === 'server' ? '0' : '1', ...words] : words
}

/** A server in a process of its own, which reports what it uses (`probe.ts`). */
export interface Server {
  readonly port: number
  /** Microseconds of CPU that the process has used, user and system. */
  readonly cpu: () => Promise<number>
  /** Bytes after a full garbage collection. */
  readonly memory: () => Promise<{ readonly resident: number; readonly live: number }>
  /** The file of its output. */
  readonly log: string
  readonly stop: () => Promise<void>
}

/** Everything that the service does is on. */
const everythingOn = {
  PORT: '0',
  OPS_PORT: '0',
  NODE_ENV: 'production',
  LOG_LEVEL: 'info',
  RATE_LIMITS: 'on',
  RESPONSE_VALIDATION: 'strict',
}

/** Starts a program of the project, with its log in a file, and waits until it prints where it listens. */
export async function startServer(
  program: string,
  environment: Readonly<Record<string, string>>,
): Promise<Server> {
  const log = join(createFolder(), 'server.log')
  const descriptor = openSync(log, 'a')
  const { PATH, TMPDIR } = process.env
  const words = [process.execPath, '--import', probe, ...program.split(' ')]
  const child = start(pinned('server', words), {
    cwd: project,
    env: { PATH, TMPDIR, ...everythingOn, ...environment },
    stdio: ['ignore', descriptor, 'inherit', 'ipc'],
  })
  closeSync(descriptor)

  async function ask<Usage>(question: string): Promise<Usage> {
    const reported = once(child, 'message', { signal: AbortSignal.timeout(30_000) })
    child.send(question)
    const [usage] = await reported
    return usage
  }

  for (const deadline = performance.now() + 30_000; ; await wait(20)) {
    const output = readFileSync(log, 'utf8')
    const [, port] = /http:\/\/127\.0\.0\.1:(\d+)/.exec(output) ?? []
    if (port !== undefined) {
      return {
        port: Number(port),
        cpu: () => ask('cpu'),
        memory: () => ask('memory'),
        log,
        stop: () => stop(child),
      }
    }
    if (child.exitCode !== null || performance.now() > deadline) {
      throw new Error(`${program} did not print where it listens. Its output: ${output || 'none'}`)
    }
  }
}
