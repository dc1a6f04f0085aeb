import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { type CompileSchema, createCompiler } from '../../server/contract/ajv.ts'
import {
  type Description,
  lookUp,
  type ResponseObject,
  resolve,
  responseSchema,
} from '../../server/contract/description.ts'
import { openDescription } from '../pipeline/bundle.ts'
import { pointerKeys, toPointer } from '../pipeline/description.ts'
import { projectPath, projectSpec } from '../pipeline/project.ts'
import { locate as locateInFile } from '../pipeline/references.ts'
import { type Sample, samplesOf } from './response-samples.ts'
import type { Step } from './step.ts'

/** A response as it was received. */
interface Received {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Where a response violates the description: a JSON Pointer, and what is wrong. */
interface Violation {
  readonly pointer: string
  readonly message: string
}

type Send = (bytes: string) => Promise<Received>

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

/** Returns a line for each location in the description, with the first response that violates it. */
async function checkResponses(program: string, store: string, signal: AbortSignal) {
  const root = JSON.parse(await readFile(projectPath('generated/openapi.json'), 'utf8'))
  const samples = samplesOf(root)
  const anonymousPerMinute = samples.filter(({ status }) => status === 401).length
  const service = await startService(program, store, anonymousPerMinute, signal)
  const found = new Map<string, string>()
  try {
    const compile = createCompiler(root, 'response')
    for (const sample of samples) {
      const received = await sendSample(service.send, sample)
      const [line = ''] = sample.bytes.split(/ HTTP|\r\n/)
      for (const { pointer, message } of findViolations(root, compile, sample, received)) {
        if (found.has(pointer)) continue
        found.set(pointer, `${message}, in the ${received.status} to ${line.slice(0, 60)}`)
      }
    }
  } finally {
    await service.stop()
  }
  const { document } = await openDescription(projectSpec)
  return [...found].map(([pointer, violation]) => {
    const location = locateInFile({ document, keys: pointerKeys(pointer) })
    return `${location} service-responses ${violation}`
  })
}

const validated = {
  optionalHeaders: [],
  // What HTTP needs on any response.
  undeclaredHeaders: ['Connection', 'Content-Length', 'Content-Type', 'Date', 'Keep-Alive', 'Vary'],
}

/** Validates a response with the schema that the service itself validates it with. */
function findViolations(
  root: Description,
  compile: CompileSchema,
  { at, status }: Sample,
  { status: sent, headers, body }: Received,
): readonly Violation[] {
  const pointer = follow(root, at)
  const response = resolve(root, lookUp(root, pointer))
  if (response === undefined || sent !== status) {
    const message = sent === status ? 'is not declared' : `was expected, not ${sent}`
    return [{ pointer, message: `the status ${status} ${message}` }]
  }
  const declared: ResponseObject = Object(response)
  const fields = Object.entries(headers).map(([name, value]) => {
    return [name, readHeader(value, declared.headers?.[name]?.schema?.['type'])]
  })
  const [mediaType = ''] = (headers['Content-Type'] ?? '').split(';')
  const content = body === '' ? {} : { mediaType, body: JSON.parse(body) }
  const isValid = compile(responseSchema(declared, validated))
  if (isValid({ headers: Object.fromEntries(fields), ...content })) return []
  return (isValid.errors ?? []).map(({ instancePath, message, params }) => {
    const { missingProperty, additionalProperty } = params
    const [, part, name = missingProperty ?? additionalProperty] = instancePath.split('/')
    if (part !== 'headers') {
      const names = part === 'body' ? ['content', mediaType, 'schema'] : []
      return {
        pointer: follow(root, [...at, ...names]),
        message: `the ${instancePath.slice(1)} ${message}`,
      }
    }
    const isDeclared = declared.headers?.[name] !== undefined
    const missing = missingProperty === undefined ? 'is not declared' : 'is missing'
    return {
      pointer: follow(root, isDeclared ? [...at, part, name, 'schema'] : at),
      message: `the header ${name} ${instancePath === '/headers' ? missing : message}`,
    }
  })
}

/** Returns the JSON Pointer to what names lead to, through every `$ref` on the way. */
function follow(root: Description, names: readonly string[]): string {
  return names.reduce((pointer, name) => {
    const next = pointer + toPointer([name]).slice(1)
    const ref = lookUp(root, next)?.['$ref']
    return typeof ref === 'string' ? ref : next
  }, '#')
}

// A header is text; what its schema calls a number or a boolean is written as in JSON.
function readHeader(value: string, type: unknown): unknown {
  const isJson = ['integer', 'number', 'boolean'].includes(String(type))
  return isJson && /^(?:-?\d+|true|false)$/.test(value) ? JSON.parse(value) : value
}

async function sendSample(send: Send, { bytes, status }: Sample): Promise<Received> {
  let received = await send(bytes)
  // A window may end between the requests that reach its limit.
  for (let tries = 0; tries < 10 && status === 429 && received.status === 401; tries++) {
    received = await send(bytes)
  }
  return received
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
    const key = /^ {2}(\w+)$/m.exec(printed)?.[1]
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
    return [name, value.join(':').trim()]
  })
  return { status: Number(line.split(' ')[1]), headers: Object.fromEntries(headers), body }
}
