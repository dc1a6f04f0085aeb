import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { brotliDecompress, createBrotliDecompress, createGunzip, gunzip } from 'node:zlib'
import { type ApiError, invalidRequest, malformedBody } from '../../contract/errors.ts'
import type { ContentKind } from '../../description/content-kind.ts'
import { unsupported } from './content-type.ts'
import { tooLarge } from './size-limit.ts'

const decoders = { gzip: promisify(gunzip), br: promisify(brotliDecompress) }

const streamDecoders = { gzip: createGunzip, br: createBrotliDecompress }

/** A coding of content that the service reads. */
export type Coding = keyof typeof decoders | 'identity'

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

/** Returns the error of a body in a coding that the service does not read. */
export function unsupportedCoding(): ApiError {
  const codings = Object.keys(decoders).join(', ')
  const message = `The content coding of the body must be one of ${codings}.`
  return unsupported(message, { 'Accept-Encoding': codings })
}

/** Decodes content of a kind; rejects what is invalid, up to its last byte, or becomes too large. */
export async function decodeContent(
  bytes: Buffer,
  maxBytes: number,
  coding: Coding,
  kind: ContentKind,
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
    throw toError(isCutOff(cause) ? endsEarly(coding, bytes.length) : isInvalid(coding), kind)
  }
  // The decoders ignore what comes after the data.
  const { buffer, engine } = decoded
  if (engine.bytesWritten === bytes.length) {
    return buffer
  }
  throw toError(hasMore(coding, engine.bytesWritten), kind)
}

/** Decodes bytes as they arrive; throws at what is invalid, up to its last byte, or becomes too large. */
export async function* decodeStream(
  encoded: AsyncIterable<Buffer>,
  maxBytes: number,
  coding: Exclude<Coding, 'identity'>,
): AsyncGenerator<Buffer> {
  const decoder = streamDecoders[coding]()
  let sentBytes = 0
  let failure: unknown
  async function* readSent() {
    try {
      for await (const chunk of encoded) {
        sentBytes += chunk.length
        yield chunk
      }
    } catch (error) {
      failure = error
      throw error
    }
  }

  // Reading the decoded content reports every error.
  pipeline(Readable.from(readSent()), decoder).catch(() => undefined)
  let size = 0
  try {
    for await (const chunk of decoder) {
      size += chunk.length
      if (size > maxBytes) {
        failure = tooLarge(maxBytes)
        throw failure
      }
      yield chunk
    }
  } catch (cause) {
    const problem = isCutOff(cause) ? endsEarly(coding, sentBytes) : isInvalid(coding)
    throw failure ?? toError(problem, 'bytes')
  }

  // The decoders ignore what comes after the data.
  if (decoder.bytesWritten !== sentBytes) {
    throw toError(hasMore(coding, decoder.bytesWritten), 'bytes')
  }
}

/** Returns the errors of a body that cannot be decoded, in each coding. */
export function allCodingErrors(): readonly ApiError[] {
  const codings = ['gzip', 'br'] as const
  const problems = codings.flatMap((coding) => {
    return [isInvalid(coding), endsEarly(coding, 1), hasMore(coding, 1)]
  })
  return problems.flatMap((problem) => [toError(problem, 'json'), toError(problem, 'bytes')])
}

/** What is wrong with content in a coding. */
interface CodingProblem {
  /** As the end of a sentence about the body. */
  readonly text: string
  /** As the end of a sentence about the byte. */
  readonly ofByte: string
  /** The byte of the content as it was sent. */
  readonly offset: number
}

type Decoded = keyof typeof decoders

function isInvalid(coding: Decoded): CodingProblem {
  const text = `is not valid ${coding}`
  return { text, ofByte: text, offset: 0 }
}

function endsEarly(coding: Decoded, offset: number): CodingProblem {
  const text = `ends before its ${coding} data is complete`
  return { text, ofByte: text, offset }
}

function hasMore(coding: Decoded, offset: number): CodingProblem {
  return { text: `has more bytes after its ${coding} data`, ofByte: 'is left over', offset }
}

/** Returns whether a decoder failed because its input ended. */
function isCutOff(cause: unknown): boolean {
  return cause instanceof Error && 'code' in cause && cause.code === 'Z_BUF_ERROR'
}

/** Returns the error of content of a kind: only JSON can be malformed JSON. */
function toError({ text, ofByte, offset }: CodingProblem, kind: ContentKind): ApiError {
  return kind === 'json'
    ? malformedBody(offset, ofByte, `The body ${text}.`)
    : invalidRequest([{ path: '/body', message: text }])
}
