import { spawn } from 'node:child_process'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { projectPath } from '../pipeline/project.ts'

/** A response as it was received. */
export interface Received {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** A service that runs to be asked for samples. */
export interface SampledService {
  /** Sends bytes, with the API key for `{key}`, on a connection of their own. */
  readonly send: (bytes: string) => Promise<Received>
  readonly stop: () => Promise<void>
}

export interface SampledOptions {
  /** Such as `server/main.ts`. */
  readonly program: string
  /** The SQLite file to use. */
  readonly store: string
  readonly anonymousPerMinute: number
  /** Kills the service. */
  readonly signal: AbortSignal
}

/** Milliseconds that a start or a response may take on a busy machine. */
const timeout = 120_000
// Its standard input ends with this process, however that ends.
const withParent =
  'data:text/javascript,process.stdin.once("end",()=>process.exit()).resume().unref()'

/** Starts the service; rejects with its error message if it does not start. */
export async function startSampled(options: SampledOptions): Promise<SampledService> {
  const { program, store, anonymousPerMinute, signal } = options
  const child = spawn(process.execPath, ['--import', withParent, projectPath(program)], {
    ...{ signal, killSignal: 'SIGKILL', timeout },
    env: {
      ...{ PATH: process.env['PATH'], PORT: '0', OPS_PORT: 'off', LOG_LEVEL: 'silent' },
      ...{ DATABASE_URL: `sqlite:${store}`, REQUESTS_AT_ONCE: '1' },
      ANONYMOUS_PER_MINUTE: String(anonymousPerMinute),
      // Responses are sent as they are, so that each violation can be reported.
      RESPONSE_VALIDATION: 'log',
    },
  })
  const ended = new Promise((resolve) => child.once('close', resolve))
  child.on('error', () => undefined)
  const complaint = text(child.stderr)
  let said = ''
  for await (const chunk of child.stdout.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
    said += chunk
    const port = /http:\/\/[^/\s]+:(\d+)/.exec(said)?.[1]
    const key = /Bearer (\w+)/.exec(said)?.[1]
    if (port === undefined || key === undefined) continue
    child.stdout.resume()
    return {
      send: (bytes) => exchange(Number(port), bytes.replace('{key}', key)),
      async stop() {
        child.kill('SIGKILL')
        await ended
      },
    }
  }
  throw new Error(`${program} does not start: ${(await complaint).trim()}`)
}

async function exchange(port: number, bytes: string): Promise<Received> {
  const socket = connect(port, '127.0.0.1')
  socket.setTimeout(timeout, () => socket.destroy())
  socket.write(bytes, 'latin1')
  const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n')
  const [line = '', ...fields] = head.split('\r\n')
  const headers = fields.map((field) => {
    const [name = '', ...value] = field.split(':')
    return [name.toLowerCase(), value.join(':').trim()]
  })
  return { status: Number(line.split(' ')[1]), headers: Object.fromEntries(headers), body }
}
