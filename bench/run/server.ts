import { once } from 'node:events'
import { closeSync, openSync, readFileSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { heldTo } from './cores.ts'
import { end, start } from './processes.ts'

/** A server in a process of its own, which tells what it uses. */
export interface Server {
  readonly port: number
  readonly processId: number
  /** Microseconds of CPU that the process has taken so far, as user and in the system. */
  readonly cpu: () => Promise<number>
  /** Bytes that it has in use, after a full collection. */
  readonly memory: () => Promise<Memory>
  /** Empties the file that its log goes to. */
  readonly clearLog: () => void
  readonly stop: () => Promise<void>
}

export interface Memory {
  /** All that the operating system has given it and not got back. */
  readonly resident: number
  /** Objects that are still needed. */
  readonly live: number
}

/** What is started, and in which surroundings. */
export interface Launch {
  /** The program, such as `server/main.ts`, from the root of the project. */
  readonly program: string
  readonly database: string
  /** Where its log goes. */
  readonly folder: string
  readonly core?: number | undefined
  /** Another copy of the project. */
  readonly project?: string
  readonly environment?: Readonly<Record<string, string>>
}

/** The root of the project. */
export const project = fileURLToPath(new URL('../..', import.meta.url))
const probe = new URL('./probe.ts', import.meta.url).href
const patience = 30_000

/** What every server is told: everything that the service does is switched on. */
const everything = {
  ...{ PORT: '0', OPS_PORT: '0', NODE_ENV: 'production', LOG_LEVEL: 'info' },
  ...{ RATE_LIMITS: 'on', RESPONSE_VALIDATION: 'strict' },
}
let launched = 0

/** Starts a server and waits until it says where it answers; its log goes to a file. */
export async function startServer(launch: Launch): Promise<Server> {
  const log = join(launch.folder, `${++launched}.log`)
  // Appended to, so that it can be emptied.
  const descriptor = openSync(log, 'a')
  const words = [
    process.execPath,
    '--import',
    probe,
    join(launch.project ?? project, launch.program),
  ]
  const { PATH, TMPDIR } = process.env
  const child = start(heldTo(launch.core, words), {
    cwd: launch.project ?? project,
    env: { PATH, TMPDIR, ...everything, DATABASE_URL: launch.database, ...launch.environment },
    stdio: ['ignore', descriptor, 'inherit', 'ipc'],
  })
  closeSync(descriptor)

  async function ask(question: string): Promise<Readonly<Record<string, number>>> {
    const answered = once(child, 'message', { signal: AbortSignal.timeout(patience) })
    // Nobody is told that it is gone; nobody answers then.
    child.send(question, () => undefined)
    try {
      const [answer] = await answered
      return answer
    } catch (cause) {
      throw new Error(`${launch.program} does not answer the runner.`, { cause })
    }
  }

  const port = await portIn(log, () => child.exitCode !== null, launch.program)
  return {
    port,
    processId: child.pid ?? 0,
    async cpu() {
      const { microseconds = Number.NaN } = await ask('cpu')
      return microseconds
    },
    async memory() {
      const { resident = Number.NaN, live = Number.NaN } = await ask('memory')
      return { resident, live }
    },
    clearLog: () => truncateSync(log),
    stop: () => end(child),
  }
}

async function portIn(log: string, isOver: () => boolean, program: string): Promise<number> {
  for (const deadline = performance.now() + patience; ; await wait(20)) {
    const text = readFileSync(log, 'utf8')
    const [, port] = /\bat http:\/\/[\w.]+:(\d+)\/v\d/.exec(text) ?? []
    if (port !== undefined) return Number(port)
    if (isOver() || performance.now() > deadline) {
      throw new Error(`${program} did not say where it answers. It said: ${text || 'nothing'}`)
    }
  }
}
