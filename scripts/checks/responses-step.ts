import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { text } from 'node:stream/consumers'
import { openDescription } from '../pipeline/bundle.ts'
import { projectPath, projectSpec } from '../pipeline/project.ts'
import { findPlace } from '../pipeline/references.ts'
import { createResponseCheck, type Received, unsentStatuses } from './response-check.ts'
import { type Sample, samplesOf } from './response-samples.ts'
import type { Step } from './step.ts'

/** Milliseconds that a start or a response may take on a busy machine. */
const timeout = 120_000

/**
 * Starts the service and validates a sample of each response that it makes itself; the signal ends it
 * early.
 */
export function responsesStep(
  program = 'server/main.ts',
  signal = new AbortController().signal,
): Step {
  return {
    name: 'responses that the service makes itself',
    async run() {
      const folder = await mkdtemp(join(tmpdir(), 'responses-'))
      try {
        return await checkResponses(program, join(folder, 'store.sqlite'), signal)
      } catch (error) {
        return [error instanceof Error ? error.message : String(error)]
      } finally {
        await rm(folder, { recursive: true, force: true })
      }
    },
  }
}

async function checkResponses(program: string, store: string, signal: AbortSignal) {
  const root = JSON.parse(await readFile(projectPath('generated/openapi.json'), 'utf8'))
  const samples = samplesOf(root)
  const anonymousPerMinute = samples.filter(({ status }) => status === 401).length
  const service = await startService(program, store, anonymousPerMinute, signal)
  try {
    const violationsOf = createResponseCheck(root)
    const found = new Map<string, string[]>()
    for (const sample of samples) {
      // The mock has no store.
      if (sample.locksStore && !existsSync(store)) continue
      const received = await sendSample(service.send, sample, store)
      const [line = ''] = sample.bytes.split(/ HTTP|\r\n/)
      for (const { pointer, message } of violationsOf(sample, received)) {
        const violation = `${message}, in the ${received.status} to ${line.slice(0, 60)}`
        found.set(pointer, [...(found.get(pointer) ?? []), violation])
      }
    }
    for (const { pointer, message } of unsentStatuses(root, samples)) found.set(pointer, [message])
    return await describe(found)
  } finally {
    await service.stop()
  }
}

/** Returns a line for each location in the description, with the first response that violates it. */
async function describe(found: ReadonlyMap<string, readonly string[]>) {
  const { document, resolver } = await openDescription(projectSpec)
  const lines = [...found].map(async ([pointer, [first, ...others]]) => {
    const more = others.length === 0 ? '' : ` and ${others.length} more`
    return `${await findPlace(document, resolver, pointer)} service-responses ${first}${more}`
  })
  return Promise.all(lines)
}

type Send = (bytes: string) => Promise<Received>

async function sendSample(send: Send, { bytes, status, locksStore }: Sample, store: string) {
  if (locksStore) return sendLocked(send, bytes, store)
  let received = await send(bytes)
  // A window may end between the requests that reach its limit.
  for (let tries = 0; tries < 10 && status === 429 && received.status === 401; tries++) {
    received = await send(bytes)
  }
  return received
}

/** Sends a request that writes twice while the store is locked: the second one exceeds its deadline. */
async function sendLocked(send: Send, bytes: string, store: string) {
  using database = new DatabaseSync(store)
  database.exec('BEGIN IMMEDIATE')
  return await Promise.any([send(bytes), send(bytes)])
}

// Its standard input ends with this process, however that ends.
const withParent =
  'data:text/javascript,process.stdin.once("end",()=>process.exit()).resume().unref()'

/** Starts the service; rejects with its error message if it does not start. */
async function startService(
  program: string,
  store: string,
  anonymousPerMinute: number,
  signal: AbortSignal,
) {
  const child = spawn(process.execPath, ['--import', withParent, projectPath(program)], {
    signal,
    killSignal: 'SIGKILL',
    timeout,
    env: {
      PATH: process.env['PATH'],
      PORT: '0',
      OPS_PORT: 'off',
      LOG_LEVEL: 'silent',
      DATABASE_URL: `sqlite:${store}`,
      REQUESTS_AT_ONCE: '1',
      ANONYMOUS_PER_MINUTE: String(anonymousPerMinute),
      // Responses are sent unchanged, so that each violation can be reported.
      RESPONSE_VALIDATION: 'log',
    },
  })
  const ended = new Promise((resolve) => child.once('close', resolve))
  child.on('error', () => undefined)
  const complaint = text(child.stderr)
  let printed = ''
  for await (const chunk of child.stdout.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
    printed += chunk
    const port = /http:\/\/[^/\s]+:(\d+)/.exec(printed)?.[1]
    const key = /Bearer (\w+)/.exec(printed)?.[1]
    if (port === undefined || key === undefined) continue
    child.stdout.resume()
    return {
      send: (bytes: string) => sendBytes(Number(port), bytes.replace('{key}', key)),
      async stop() {
        child.kill('SIGKILL')
        await ended
      },
    }
  }
  throw new Error(`${program} does not start: ${(await complaint).trim()}`)
}

/** Sends bytes on a connection of their own. */
async function sendBytes(port: number, bytes: string): Promise<Received> {
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
