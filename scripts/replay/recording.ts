import { readFileSync } from 'node:fs'
import { validateHeaderName, validateHeaderValue } from 'node:http'
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'
import { isObject, type JsonObject, toList, toObject } from '../../server/description/json.ts'
import { UsageError } from '../../server/process/options.ts'
import { shortPath } from '../pipeline/project.ts'

/** A request as it is in a recording. */
export interface RecordedRequest {
  /** Its number among the entries of the recording, from 1. */
  readonly entry: number
  readonly method: string
  /** The path and the query, as they were sent. */
  readonly target: string
  /** Names and values in turn. */
  readonly headers: readonly string[]
  readonly body: Uint8Array | undefined
}

/** An entry whose request cannot be sent again. */
export interface UnreadableEntry {
  readonly entry: number
  readonly reason: string
}

/** The requests of a file in the format HAR 1.2. */
export interface Recording {
  readonly file: string
  readonly requests: readonly RecordedRequest[]
  readonly unreadable: readonly UnreadableEntry[]
  /** How many entries are no requests over HTTP, such as those of a WebSocket. */
  readonly others: number
}

/**
 * Reads a HAR file, as browsers, proxies and test tools write it. No message has a text of the file: it
 * may hold credentials.
 */
export function readRecording(file: string): Recording {
  const name = shortPath(file)
  const entries = toObject(toObject(parse(file, name))['log'])['entries']
  if (!Array.isArray(entries)) {
    throw new UsageError(`${name} is no recording in the format HAR: it has no log.entries`)
  }
  if (entries.length === 0) {
    throw new UsageError(`${name} has no requests: log.entries is empty`)
  }
  const requests: RecordedRequest[] = []
  const unreadable: UnreadableEntry[] = []
  let others = 0
  for (const [index, each] of entries.entries()) {
    const entry = index + 1
    const read = readEntry(toObject(each))
    if (read === 'other') {
      others++
    } else if ('reason' in read) {
      unreadable.push({ entry, ...read })
    } else {
      requests.push({ entry, ...read })
    }
  }
  return { file: name, requests, unreadable, others }
}

function parse(file: string, name: string): unknown {
  const text = readText(file, name)
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch (error) {
    const [, position] = / at position (\d+)/.exec(String(error)) ?? []
    const where = position === undefined ? '' : ` (at character ${Number(position) + 1})`
    throw new UsageError(`${name} is no JSON${where}; record it again, or name another file`)
  }
}

function readText(file: string, name: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    const { code } = toObject(error)
    if (code === 'ENOENT') {
      throw new UsageError(`there is no file ${name}`)
    }
    if (code === 'ERR_STRING_TOO_LONG' || code === 'ERR_FS_FILE_TOO_LARGE') {
      throw new UsageError(`${name} is larger than 500 MB; record without the responses' contents`)
    }
    throw new UsageError(`${name} cannot be read: ${code}`)
  }
}

type Sendable = Omit<RecordedRequest, 'entry'>

type Unsendable = Omit<UnreadableEntry, 'entry'>

function readEntry({ request: recorded }: JsonObject): Sendable | Unsendable | 'other' {
  const request = toObject(recorded)
  const { method, url, cookies } = request
  if (typeof method !== 'string' || typeof url !== 'string') {
    return { reason: 'it has no method or no URL' }
  }
  const [, target] = /^https?:\/\/[^/?#]*([^#]*)/i.exec(url) ?? []
  // A proxy records the request for a tunnel to itself, too.
  if (target === undefined || method === 'CONNECT') {
    return 'other'
  }

  const recordedHeaders = readHeaders(request['headers'])
  const content = readContent(request, recordedHeaders)
  if ('reason' in content) {
    return content
  }

  const { body } = content
  const { mimeType } = toObject(request['postData'])
  const typedHeaders = withMediaType(recordedHeaders, mimeType, body)
  const headers = toRawHeaders(withCookies(typedHeaders, cookies), body)
  if (!isSendable(method, headers)) {
    return { reason: 'its method or a header is not valid HTTP' }
  }
  return { method, target: toTarget(target), headers: headers.flat(), body }
}

/** Returns the body of a request, if it has one, or why it is not known. */
function readContent(
  { postData, bodySize }: JsonObject,
  headers: readonly Header[],
): { readonly body: Uint8Array | undefined } | Unsendable {
  const hasBody = Number(bodySize) > 0 || Number(headerOf(headers, 'content-length')) > 0
  if (!isObject(postData) && !hasBody) {
    return { body: undefined }
  }

  const bytes = isObject(postData) ? toBytes(postData) : undefined
  if (bytes === undefined || (bytes.length === 0 && hasBody)) {
    return { reason: 'its body was not recorded' }
  }
  // Browsers write the replacement character for bytes that are no text.
  if (bytes.includes('\uFFFD') && !isCoded(bytes, headers)) {
    return { reason: 'its compressed body was recorded as text' }
  }
  return { body: bytes.length === 0 ? undefined : bytes }
}

function isSendable(method: string, headers: readonly Header[]): boolean {
  try {
    // A method has the form of a header name (RFC 9110, section 9.1).
    validateHeaderName(method)
    for (const [name, value] of headers) {
      validateHeaderName(name)
      validateHeaderValue(name, value)
    }
    return true
  } catch {
    return false
  }
}

type Header = readonly [name: string, value: string]

/** Headers of the connection that a request was recorded on, and of credentials, which are not needed. */
const skippedHeaders: ReadonlySet<string> = new Set([
  'authorization',
  'connection',
  'content-length',
  'expect',
  'host',
  'http2-settings',
  'keep-alive',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

function readHeaders(fields: unknown): readonly Header[] {
  return toList(fields)
    .map(toObject)
    .map(({ name, value }) => [String(name), String(value ?? '')] as const)
}

function headerOf(headers: readonly Header[], wanted: string): string | undefined {
  return headers.find(([name]) => name.toLowerCase() === wanted)?.[1]
}

// Some tools record the media type with the body only.
function withMediaType(
  headers: readonly Header[],
  mediaType: unknown,
  body: Uint8Array | undefined,
): readonly Header[] {
  const isKnown = body === undefined || headerOf(headers, 'content-type') !== undefined
  if (isKnown || typeof mediaType !== 'string' || mediaType === '') {
    return headers
  }
  return [...headers, ['Content-Type', mediaType]]
}

// Some tools record cookies in their own list only.
function withCookies(headers: readonly Header[], cookies: unknown): readonly Header[] {
  const pairs = readHeaders(cookies).map(([name, value]) => `${name}=${value}`)
  if (pairs.length === 0 || headerOf(headers, 'cookie') !== undefined) {
    return headers
  }
  return [...headers, ['Cookie', pairs.join('; ')]]
}

function toRawHeaders(headers: readonly Header[], body: Uint8Array | undefined): Header[] {
  const repeatedHeaders = headers.filter(([name]) => {
    const lower = name.toLowerCase()
    // HTTP/2 and HTTP/3 have fields such as `:path` in place of a request line.
    if (name.startsWith(':') || skippedHeaders.has(lower)) {
      return false
    }
    // Many tools record a compressed body as it was before its compression.
    return lower !== 'content-encoding' || (body !== undefined && isCoded(body, headers))
  })
  // Node.js writes header values as Latin-1.
  return repeatedHeaders.map(([name, value]) => [name, Buffer.from(value).toString('latin1')])
}

const decoders: Readonly<Record<string, (bytes: Uint8Array) => unknown>> = {
  gzip: gunzipSync,
  'x-gzip': gunzipSync,
  deflate: inflateSync,
  br: brotliDecompressSync,
}

/** Returns whether a body is compressed as its header says, or no header says so. */
function isCoded(body: Uint8Array, headers: readonly Header[]): boolean {
  const decode = decoders[headerOf(headers, 'content-encoding')?.trim().toLowerCase() ?? '']
  if (decode === undefined) {
    return true
  }
  try {
    decode(body)
    return true
  } catch {
    return false
  }
}

/** Returns the bytes of a body; undefined if they were not recorded. */
function toBytes({ text, encoding, params, mimeType }: JsonObject): Buffer | undefined {
  if (typeof text === 'string') {
    return Buffer.from(text, encoding === 'base64' ? 'base64' : 'utf8')
  }
  const isForm = String(mimeType).startsWith('application/x-www-form-urlencoded')
  if (!isForm || !Array.isArray(params)) {
    return undefined
  }
  const pairs = readHeaders(params).map(([name, value]) => [name, value])
  return Buffer.from(new URLSearchParams(pairs).toString())
}

/** Encodes what cannot be in a request line, which some tools record decoded. */
function toTarget(target: string): string {
  const encoded = target.replaceAll(/[^!-~]+/g, encode)
  return encoded.startsWith('/') ? encoded : `/${encoded}`
}

function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed())
}
