import type { IncomingMessage } from 'node:http'
import { brotliDecompress, gunzip } from 'node:zlib'
import { isObject } from '../description.ts'
import { ApiError } from '../errors.ts'
import { malformedBody, tooLarge } from './body-refusals.ts'

type Decoder = (
  bytes: Buffer,
  options: { readonly maxOutputLength: number; readonly info: true },
  done: (error: Error | null, result: unknown) => void,
) => void

const decoders: Readonly<Record<'gzip' | 'br', Decoder>> = { gzip: gunzip, br: brotliDecompress }
const codings = Object.keys(decoders).join(', ')

/** A content coding that can be taken off (RFC 9110, section 8.4). */
export type Coding = keyof typeof decoders | 'identity'

/** The content coding of a request; refuses one that cannot be taken off. */
export function codingOf(request: IncomingMessage): Coding {
  const sent = request.headers['content-encoding']?.trim().toLowerCase() || 'identity'
  if (sent === 'identity' || sent === 'gzip' || sent === 'br') return sent
  // RFC 9110, section 8.4.1.3: recipients treat x-gzip as gzip.
  if (sent === 'x-gzip') return 'gzip'
  const message = `The content coding of the body must be one of ${codings}.`
  const headers = { 'Accept-Encoding': codings }
  throw new ApiError({ status: 415, code: 'unsupported_media_type' }, message, { headers })
}

/** Takes a content coding off; refuses what is not valid, to its last byte, or grows too large. */
export async function inflate(bytes: Buffer, coding: Coding, maxBytes: number): Promise<Buffer> {
  if (coding === 'identity') return bytes
  try {
    const { content, consumed } = await decode(bytes, coding, maxBytes)
    if (consumed === bytes.length) return content
    throw malformedBody(`The body goes on after its ${coding} data.`, consumed, 'is left over')
  } catch (cause) {
    if (cause instanceof ApiError) throw cause
    if (cause instanceof RangeError) throw tooLarge(maxBytes)
    throw malformedBody(`The body is not valid ${coding}.`, 0, `is not valid ${coding}`, cause)
  }
}

interface Decoded {
  readonly content: Buffer
  /** How many bytes of the input the data ended after; the decoders leave the rest alone. */
  readonly consumed: number
}

function decode(bytes: Buffer, coding: keyof typeof decoders, maxOutputLength: number) {
  return new Promise<Decoded>((resolve, reject) => {
    // With `info`, the result holds the engine too.
    decoders[coding](bytes, { maxOutputLength, info: true }, (error, result) => {
      if (error !== null) return reject(error)
      const { buffer, engine } = isObject(result) ? result : {}
      const consumed = isObject(engine) ? engine['bytesWritten'] : undefined
      if (!Buffer.isBuffer(buffer) || typeof consumed !== 'number') {
        return reject(new TypeError('zlib gave no account of its input.'))
      }
      resolve({ content: buffer, consumed })
    })
  })
}
