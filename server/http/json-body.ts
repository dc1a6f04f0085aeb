import type { IncomingMessage } from 'node:http'
import { promisify } from 'node:util'
import { brotliDecompress, gunzip } from 'node:zlib'
import type { Request, RequestHandler, Response } from 'express'
import { ApiError, invalidRequest, malformedBody } from '../contract/errors.ts'
import { parseIJson } from '../contract/i-json.ts'
import { LargeIntegers } from '../contract/large-integers.ts'
import type { RequestBody } from '../contract/operation.ts'
import { findMediaType, isJsonType, json, withoutParameters } from '../description/media-types.ts'
import { requestSettingsOf } from '../description/settings.ts'

/** The largest body, in bytes, where neither the description nor the settings have a limit. */
export const defaultMaxBytes = requestSettingsOf({}).maxBytes

/** Reads the body of an operation that has one as I-JSON (RFC 7493). */
export const jsonBody: RequestHandler = async function readJsonBody(request, response, next) {
  const { requestBody } = response.locals.operation ?? {}
  request.body = requestBody && (await readBody(requestBody, request, response))
  next()
}

/** Returns the value of a body; undefined if it is empty. Throws if the operation does not accept it. */
async function readBody(
  { mediaTypes, maxBytes = defaultMaxBytes, acceptsLargeIntegers = false }: RequestBody,
  request: Request,
  response: Response,
): Promise<unknown> {
  const { headers, httpVersion } = request
  const length = Number(headers['content-length'] ?? 0)
  const isChunked = headers['transfer-encoding'] !== undefined
  // A client that waits for 100 Continue sends nothing before it; in HTTP/1.0 none does (RFC 9110, 10.1.1).
  const isAwaited = headers.expect !== undefined && httpVersion === '1.1'
  // Only its first byte shows whether chunked content is empty.
  const hasContent = length > 0 || (isChunked && isAwaited)
  let type = hasContent ? contentTypeOf(mediaTypes, request) : undefined
  if (length > maxBytes) {
    throw tooLarge(maxBytes)
  }
  if (hasContent && isAwaited) {
    response.writeContinue()
  }
  const content = new GrowingBuffer(isChunked ? maxBytes : length)
  // node:http drops the rest once a response is sent.
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    type ??= contentTypeOf(mediaTypes, request)
    if (content.size + chunk.length > maxBytes) {
      throw tooLarge(maxBytes)
    }
    content.append(chunk)
  }
  const bytes = await decodeContent(content.read(), maxBytes, type?.coding)
  if (bytes.length === 0) {
    return undefined
  }
  response.locals.mediaType = type?.mediaType
  return acceptsLargeIntegers ? parseWithLargeIntegers(bytes, response) : parseIJson(bytes)
}

/** Parses a body, and notes the integers in it that double precision may not hold. */
function parseWithLargeIntegers(bytes: Uint8Array, { locals }: Response): unknown {
  return parseIJson(bytes, (holder, key, literal) => {
    locals.largeIntegers ??= new LargeIntegers()
    locals.largeIntegers.add(holder, key, literal)
  })
}

/** Bytes that are reserved for content before it arrives. */
const firstCapacity = 16_384

/**
 * Collects content, in memory that grows with what has arrived. The chunks are copied: each is a part of what
 * was read from the connection, and would keep all of that.
 */
class GrowingBuffer {
  size = 0
  readonly #maxSize: number
  #memory: Buffer

  constructor(maxSize: number) {
    this.#maxSize = maxSize
    this.#memory = Buffer.allocUnsafe(Math.min(firstCapacity, maxSize))
  }

  append(chunk: Uint8Array): void {
    const size = this.size + chunk.length
    if (size > this.#memory.length) {
      this.#grow(size)
    }
    this.#memory.set(chunk, this.size)
    this.size = size
  }

  /** Returns the content, not a copy. */
  read(): Buffer {
    return this.#memory.subarray(0, this.size)
  }

  #grow(size: number): void {
    // Doubled, so that many small chunks cost no more than few large ones.
    const capacity = Math.max(size, Math.min(2 * this.#memory.length, this.#maxSize))
    const memory = Buffer.allocUnsafe(capacity)
    memory.set(this.read())
    this.#memory = memory
  }
}

/** Returns the error of a body that has too many bytes, as sent or decoded. */
export function tooLarge(maxBytes: number): ApiError {
  const message = `The body is larger than ${maxBytes} bytes.`
  return new ApiError({ status: 413, code: 'payload_too_large' }, message)
}

/** The media type of a body, as the description declares it or as it was sent for a range, and its coding. */
interface ContentType {
  readonly mediaType: string
  readonly coding: Coding
}

/** Returns the media type and the coding of a body; throws if the operation does not accept one of them, or it is not JSON. */
function contentTypeOf(mediaTypes: readonly string[], request: IncomingMessage): ContentType {
  const mediaType = mediaTypeOf(mediaTypes, request)
  if (!isJsonType(mediaType)) {
    throw unsupportedMediaType(mediaTypes)
  }
  return { mediaType, coding: codingOf(request) }
}

/**
 * Returns the media type of a body, as the description declares it or as it was sent for a range; throws if the
 * operation does not accept it.
 */
export function mediaTypeOf(mediaTypes: readonly string[], request: IncomingMessage): string {
  // node:http keeps the first of several and drops the others.
  const [sent = '', ...others] = request.headersDistinct['content-type'] ?? []
  if (others.some((value) => value !== sent)) {
    throw invalidRequest([{ path: '/headers/content-type', message: 'must be given once' }])
  }
  const declared = findMediaType(mediaTypes, sent)
  if (declared === undefined) {
    throw unsupportedMediaType(mediaTypes)
  }
  return declared.includes('*') ? withoutParameters(sent) : declared
}

/** Returns the coding of a body; throws if the service does not read it. */
export function codingOf({ headers }: IncomingMessage): Coding {
  const coding = headers['content-encoding']?.trim().toLowerCase() || 'identity'
  // RFC 9110, section 8.4.1.3: recipients treat x-gzip as gzip.
  if (coding === 'gzip' || coding === 'x-gzip') {
    return 'gzip'
  }
  if (coding === 'br' || coding === 'identity') {
    return coding
  }
  throw unsupportedCoding()
}

/** Returns the error of a body of a media type that the operation does not accept, or that is not JSON. */
export function unsupportedMediaType(mediaTypes: readonly string[]): ApiError {
  const read = mediaTypes.flatMap(readTypesOf)
  const message = `The body must be ${read.join(' or ')}.`
  return unsupported(message, { Accept: read.join(', ') })
}

/** Returns the media types of a declared one that are read; none if it is not JSON. */
function readTypesOf(mediaType: string): readonly string[] {
  if (/^(?:\*|application)\/\*$/.test(mediaType)) {
    return [json, 'application/*+json']
  }
  return isJsonType(mediaType) ? [mediaType] : []
}

/** Returns the error of a body in a coding that the service does not read. */
export function unsupportedCoding(): ApiError {
  const codings = Object.keys(decoders).join(', ')
  const message = `The content coding of the body must be one of ${codings}.`
  return unsupported(message, { 'Accept-Encoding': codings })
}

function unsupported(message: string, headers: Readonly<Record<string, string>>): ApiError {
  return new ApiError({ status: 415, code: 'unsupported_media_type' }, message, { headers })
}

const decoders = { gzip: promisify(gunzip), br: promisify(brotliDecompress) }

type Coding = keyof typeof decoders | 'identity'

/** Decodes content; rejects what is invalid, up to its last byte, or becomes too large. */
export async function decodeContent(
  bytes: Buffer,
  maxBytes: number,
  coding: Coding = 'identity',
): Promise<Buffer> {
  if (coding === 'identity' || bytes.length === 0) {
    return bytes
  }
  let decoded: { readonly buffer: Buffer; readonly engine: { readonly bytesWritten: number } }
  try {
    // With `info`, the result has the engine, too, which the types do not know.
    const result: unknown = await decoders[coding](bytes, { maxOutputLength: maxBytes, info: true })
    decoded = result as typeof decoded
  } catch (cause) {
    if (cause instanceof RangeError) {
      throw tooLarge(maxBytes)
    }
    throw invalidCoding(coding, cause)
  }
  // The decoders ignore what comes after the data.
  const { buffer, engine } = decoded
  if (engine.bytesWritten === bytes.length) {
    return buffer
  }
  throw bytesAfterCoding(coding, engine.bytesWritten)
}

/** Returns the errors of a body that cannot be decoded, in each coding. */
export function allCodingErrors(): readonly ApiError[] {
  const codings = ['gzip', 'br'] as const
  return codings.flatMap((coding) => [invalidCoding(coding), bytesAfterCoding(coding, 1)])
}

function invalidCoding(coding: keyof typeof decoders, cause?: unknown): ApiError {
  return malformedBody(0, `is not valid ${coding}`, `The body is not valid ${coding}.`, cause)
}

function bytesAfterCoding(coding: keyof typeof decoders, offset: number): ApiError {
  const message = `The body has more bytes after its ${coding} data.`
  return malformedBody(offset, 'is left over', message)
}
