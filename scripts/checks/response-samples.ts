import { dereference, type JsonObject, readBasePath, toList } from '../pipeline/description.ts'
import { type OperationEntry, operationsOf } from '../pipeline/operation-entries.ts'

/** A request for a response that the service makes itself. */
export interface Sample {
  /** The status to expect. */
  readonly status: number
  /** The keys under which the description has the response. */
  readonly at: readonly string[]
  /** The request as it is sent; `{key}` is replaced by an API key. */
  readonly bytes: string
}

type Fields = Readonly<Record<string, string>>

const withKey = { Authorization: 'Bearer {key}', 'X-Request-Id': 'a'.repeat(64) }
const withJson = { ...withKey, 'Content-Type': 'application/json' }
const unknownType = 'application/x-unknown'

/** Returns the samples of a description, in the order in which they are to be sent. */
export function samplesOf(root: JsonObject): readonly Sample[] {
  const basePath = readBasePath(toList(root['servers'])[0])
  const all = operationsOf(root)
  const first = all[0]?.path.replaceAll(/\{[^{}]+\}/g, '0') ?? ''
  const outside = (status: number, method: string, path: string, fields: Fields = withKey) => ({
    status,
    at: ['x-outside-operations', String(status)],
    bytes: write(method, basePath + path, fields),
  })
  const deprecated = all.find(({ operation }) => operation['deprecated'] === true)
  const withBody = all.find(({ operation }) => operation['requestBody'] !== undefined)
  const sampled = [...new Set([all[0], deprecated, withBody])].filter((one) => one !== undefined)
  return [
    ...sampled.flatMap((entry) => samplesOfOperation(root, basePath, entry)),
    outside(404, 'GET', '/unknown-path'),
    outside(405, 'TRACE', first),
    outside(204, 'OPTIONS', first),
    ...malformed(basePath),
    outside(401, 'GET', '/unknown-path', {}),
    // The service is started with a limit that the samples without a key have reached by now.
    outside(429, 'GET', '/unknown-path', {}),
  ]
}

function samplesOfOperation(
  root: JsonObject,
  basePath: string,
  entry: OperationEntry,
): readonly Sample[] {
  const { path, method, operation } = entry
  const target = basePath + path.replaceAll(/\{[^{}]+\}/g, '0')
  const of = (status: number, fields: Fields, query = '', content = '') => ({
    status,
    at: ['paths', path, method, 'responses', String(status)],
    bytes: write(method.toUpperCase(), target + query, fields, content),
  })
  const isPublic = toList(operation['security'] ?? root['security']).length === 0
  const { 'x-max-bytes': most } = dereference(root, operation['requestBody'])
  const ofBody = [
    of(413, withJson, '', ' '.repeat(Number(most ?? 0) + 1)),
    of(415, { ...withKey, 'Content-Type': unknownType }, '', 'a'),
    of(415, { ...withJson, 'Content-Encoding': 'x-unknown' }, '', 'a'),
  ]
  return [
    of(400, withJson, '?unknown-parameter=1', '{}'),
    of(406, { ...withJson, Accept: unknownType }),
    ...(isPublic ? [] : [of(401, {})]),
    ...(most === undefined ? [] : ofBody),
  ]
}

function malformed(basePath: string): readonly Sample[] {
  const requests: Readonly<Record<number, string>> = {
    400: 'unknown\r\n\r\n',
    414: `GET ${basePath}/${'a'.repeat(20_000)} HTTP/1.1\r\nHost: a\r\n\r\n`,
    417: `GET ${basePath}/ HTTP/1.1\r\nHost: a\r\nExpect: unknown\r\n\r\n`,
    431: `GET ${basePath}/ HTTP/1.1\r\nHost: a\r\nX: ${'a'.repeat(20_000)}\r\n\r\n`,
    501: 'CONNECT a:80 HTTP/1.1\r\nHost: a\r\n\r\n',
    505: `GET ${basePath}/ HTTP/3.0\r\nHost: a\r\n\r\n`,
  }
  return Object.entries(requests).map(([status, bytes]) => {
    return { status: Number(status), at: ['x-framing-response'], bytes }
  })
}

function write(method: string, target: string, fields: Fields, content = ''): string {
  const length = content === '' ? {} : { 'Content-Length': content.length }
  const all = { Host: 'localhost', Connection: 'close', ...fields, ...length }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${method} ${target} HTTP/1.1\r\n${lines.join('')}\r\n${content}`
}
