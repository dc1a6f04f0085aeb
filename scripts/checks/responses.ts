import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { type CompileSchema, createCompiler } from '../../server/contract/ajv.ts'
import {
  type Description,
  lookUp,
  type ResponseObject,
  resolve,
  responseSchema,
} from '../../server/contract/description.ts'
import { reasonOf } from '../../server/operator-error.ts'
import type { MessageToLoop } from '../dev/design-service.ts'
import {
  type JsonObject,
  readBasePath,
  toChild,
  toList,
  toPointer,
} from '../pipeline/description.ts'
import { operationsOf } from '../pipeline/operation-entries.ts'
import { projectPath, projectSpec } from '../pipeline/project.ts'
import { Sources } from '../pipeline/sources.ts'

/** A request that no handler gets. */
interface Sample {
  /** The keys under which the description has the responses by status, or the one response. */
  readonly at: readonly string[]
  /** The request as it is sent; `{key}` is replaced by an API key. */
  readonly bytes: string
}

/** A response as it was received. */
interface Received {
  readonly status: string
  readonly headers: Fields
  readonly body: string
}

type Fields = Readonly<Record<string, string>>

/** Milliseconds that the service may run: a start may take long on a busy machine. */
const timeout = 120_000

const host = { Host: 'localhost', Connection: 'close' }
const withKey = { ...host, Authorization: 'Bearer {key}', 'X-Request-Id': 'a'.repeat(64) }
const withJson = { ...withKey, 'Content-Type': 'application/json', 'Content-Length': '2' }
const unknownKey = { ...host, Authorization: 'Bearer unknown' }
const unknownType = 'application/x-unknown'
const framing = 'x-framing-response'
const outside = 'x-outside-operations'

/**
 * Starts the service and validates a sample of each response that it makes itself; the signal ends it
 * early. Returns a line for each location in the description, with the first response that violates it.
 */
export function checkResponses(signal?: AbortSignal): Promise<readonly string[]> {
  return findViolating(signal).catch((error: unknown) => [reasonOf(error)])
}

async function findViolating(signal?: AbortSignal): Promise<readonly string[]> {
  const root = JSON.parse(await readFile(projectPath('generated/openapi.json'), 'utf8'))
  const samples = samplesOf(root)
  const unauthorized = samples.filter(({ bytes }) => bytes.includes(unknownKey.Authorization))
  const env = {
    PATH: process.env['PATH'],
    PORT: '0',
    LOG_LEVEL: 'silent',
    DATABASE_URL: 'sqlite::memory:',
    // The last sample exceeds it.
    ANONYMOUS_PER_MINUTE: String(unauthorized.length - 1),
  }
  // It ends with this process, however that ends.
  const service = fork(projectPath('scripts/dev/service-process.ts'), {
    ...{ env, stdio: 'ignore', timeout, killSignal: 'SIGKILL' },
  })
  const exited = once(service, 'exit')
  const found = new Map<string, string>()
  try {
    const { origin, key = '' } = await start(service, signal)
    const compile = createCompiler(root, 'response')
    for (const { at, bytes } of samples) {
      signal?.throwIfAborted()
      const received = await send(origin, bytes.replace('{key}', key))
      const [line = ''] = bytes.split(/ HTTP|\r\n/)
      const keys = at[0] === framing ? at : [...at, received.status]
      for (const [pointer, violation] of findViolations(root, compile, keys, received)) {
        if (found.has(pointer)) continue
        found.set(pointer, `${violation}, in the ${received.status} to ${line.slice(0, 60)}`)
      }
    }
  } finally {
    service.kill('SIGKILL')
    await exited
  }
  const spec = new Sources(projectSpec)
  return [...found].map(([pointer, violation]) => {
    return `${spec.locationOf(spec.file, pointer)} service-responses ${violation}`
  })
}

/** Waits until the service listens; rejects with its error message if it does not start. */
async function start(service: ChildProcess, signal?: AbortSignal) {
  const started = once(service, 'message', { signal })
  const ended = once(service, 'exit', { signal }).then(() => [])
  const [response]: MessageToLoop[] = await Promise.race([started, ended])
  if (response?.kind === 'ready') return response
  const reason = response?.kind === 'failed' ? response.message : 'it ended'
  throw new Error(`the service does not start: ${reason}`)
}

/** Returns the samples of a description, in the order in which they are to be sent. */
export function samplesOf(root: JsonObject): readonly Sample[] {
  const basePath = readBasePath(toList(root['servers'])[0])
  // The response to HEAD has no content.
  const operations = operationsOf(root).filter(({ method }) => method !== 'head')
  const toTarget = (path: string) =>
    basePath + path.replaceAll(/\{[^{}]+\}/g, '0').replaceAll(/[^\x21-\x7e]+/g, encodeURIComponent)
  const first = toTarget(operations[0]?.path ?? '/')
  const ofOperations = operations.flatMap(({ path, method, operation }) => {
    const line = `${method.toUpperCase()} ${toTarget(path)}?unknown-parameter=1`
    const requests = [
      write(line, withJson, '{}'),
      write(line, { ...withKey, Accept: unknownType }),
      write(line, unknownKey),
    ]
    if (operation['requestBody'] !== undefined) {
      requests.push(
        write(line, { ...withJson, 'Content-Length': '9'.repeat(12) }),
        write(line, { ...withJson, 'Content-Type': unknownType }, '{}'),
        write(line, { ...withJson, 'Content-Encoding': 'x-unknown' }, '{}'),
      )
    }
    return requests.map((bytes) => ({ at: ['paths', path, method, 'responses'], bytes }))
  })
  // With more segments than any path: each of those may be a template.
  const depth = Math.max(1, ...operations.map(({ path }) => path.split('/').length))
  const unknown = `GET ${basePath}${'/unknown-path'.repeat(depth)}`
  const others = [
    write(unknown, withKey),
    write(`TRACE ${first}`, withKey),
    write(`OPTIONS ${first}`, withKey),
    write(unknown, unknownKey),
    write(unknown, unknownKey),
  ]
  const malformed = ['unknown\r\n\r\n', write('GET /', { ...host, Expect: 'unknown' })]
  return [
    ...ofOperations,
    ...malformed.map((bytes) => ({ at: [framing], bytes })),
    ...others.map((bytes) => ({ at: [outside], bytes })),
  ]
}

function write(line: string, fields: Fields, content = ''): string {
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${line} HTTP/1.1\r\n${lines.join('')}\r\n${content}`
}

/** Sends bytes on a connection of their own. */
async function send(origin: string, bytes: string): Promise<Received> {
  const { port, hostname } = new URL(origin)
  const socket = connect(Number(port), hostname)
  socket.write(bytes)
  const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n')
  const [line = '', ...fields] = head.split('\r\n')
  const headers = fields.map((field) => field.split(/: (.*)/))
  return { status: line.split(' ')[1] ?? '', headers: Object.fromEntries(headers), body }
}

const exceptions = {
  optionalHeaders: [],
  // What HTTP needs on any response.
  undeclaredHeaders: ['Connection', 'Content-Length', 'Content-Type', 'Date', 'Keep-Alive', 'Vary'],
}

/** Returns where a response violates what the description has at some keys: JSON Pointers, and what is wrong. */
function findViolations(
  root: Description,
  compile: CompileSchema,
  at: readonly string[],
  { headers, body }: Received,
): readonly (readonly [pointer: string, message: string])[] {
  const response = resolve(root, lookUp(root, toPointer(at)))
  if (response === undefined) return [[follow(root, at), 'the status is not declared']]
  const declared: ResponseObject = Object(response)
  const fields = Object.entries(headers).map(([name, value]) => {
    return [name, readHeader(value, declared.headers?.[name]?.schema?.['type'])]
  })
  const mediaType = headers['Content-Type'] ?? ''
  const content = body === '' ? {} : { mediaType, body: JSON.parse(body) }
  const isValid = compile(responseSchema(declared, exceptions))
  if (isValid({ headers: Object.fromEntries(fields), ...content })) return []
  return (isValid.errors ?? []).map(({ instancePath, message, params }) => {
    const { missingProperty, additionalProperty } = params
    const [, part, name = missingProperty ?? additionalProperty] = instancePath.split('/')
    if (part !== 'headers') {
      const pointer = follow(root, [...at, 'content', mediaType, 'schema'])
      return [pointer, `the ${instancePath.slice(1)} ${message}`]
    }
    const missing = missingProperty === undefined ? 'is not declared' : 'is missing'
    const what = instancePath === '/headers' ? missing : message
    return [follow(root, [...at, part, name, 'schema']), `the header ${name} ${what}`]
  })
}

/** Returns the JSON Pointer to what names lead to, through every `$ref` on the way. */
function follow(root: Description, names: readonly string[]): string {
  return names.reduce((pointer, name) => {
    const next = toChild(pointer, name)
    const ref = lookUp(root, next)?.['$ref']
    return typeof ref === 'string' ? ref : next
  }, '#')
}

// A header is text; what its schema calls a number or a boolean is written as in JSON.
function readHeader(value: string, type: unknown): unknown {
  const isJson = ['integer', 'number', 'boolean'].includes(String(type))
  return isJson && /^(?:-?\d+|true|false)$/.test(value) ? JSON.parse(value) : value
}
