import type { IncomingMessage, ServerResponse } from 'node:http'
import { promisify } from 'node:util'
import { brotliDecompress, gunzip } from 'node:zlib'
import { Refusal } from '../answer/refusal.ts'
import type { Operation } from '../description/operation.ts'
import { readIJson } from '../i-json/i-json.ts'
import { CallerGone } from './caller-gone.ts'

// For a description that does not set `x-max-bytes` on a request body.
const defaultMaxBytes = 1_000_000

const decoders = { gzip: promisify(gunzip), br: promisify(brotliDecompress) }
const codings = Object.keys(decoders).join(', ')

/** Whether a request has content, by its header section alone (RFC 9112, section 6). */
function announcesBody(request: IncomingMessage): boolean {
  const { 'transfer-encoding': coding, 'content-length': length } = request.headers
  return coding !== undefined || (length !== undefined && Number(length) > 0)
}

// RFC 9110, section 10.1.1: the expectation of an HTTP/1.0 request is ignored.
function awaitsContinue({ headers, httpVersion }: IncomingMessage): boolean {
  return headers.expect !== undefined && httpVersion === '1.1'
}

/** Refuses a body that the operation cannot take, before a byte of it is read. */
export function checkMediaType(operation: Operation, request: IncomingMessage): string | undefined {
  if (operation.requestBody === undefined) return undefined
  const accepted = operation.requestBody.mediaTypes
  // A missing body has no media type; whether it may be missing is for the validator to say.
  if (!announcesBody(request)) return accepted[0]
  const sent = essenceOf(request.headers['content-type'])
  const mediaType = accepted.find((candidate) => essenceOf(candidate) === sent)
  if (mediaType === undefined) {
    const message = `The body must be ${accepted.join(' or ')}.`
    const headers = { Accept: accepted.join(', ') }
    throw new Refusal({ status: 415, code: 'unsupported_media_type' }, message, { headers })
  }
  codingOf(request)
  return mediaType
}

/** Reads the body that `checkMediaType` let pass, as I-JSON; undefined when there is none. */
export async function readBody(
  { requestBody }: Operation,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<unknown> {
  if (requestBody === undefined || !announcesBody(request)) return undefined
  const { maxBytes = defaultMaxBytes } = requestBody
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw tooLarge(maxBytes)
  if (awaitsContinue(request)) response.writeContinue()
  const bytes = await inflate(await receive(request, maxBytes), codingOf(request), maxBytes)
  if (bytes.length === 0) return undefined
  const reading = readIJson(bytes)
  if ('value' in reading) return reading.value
  const { offset, message } = reading.fault
  const details = [{ path: '/body', message: `byte ${offset}: ${message}` }]
  const refused = { status: 400, code: 'malformed_json' } as const
  throw new Refusal(refused, 'The body is not I-JSON (RFC 7493).', { details })
}

function essenceOf(mediaType: string | undefined): string | undefined {
  return mediaType?.split(';', 1)[0]?.trim().toLowerCase()
}

type Coding = keyof typeof decoders | 'identity'

function codingOf(request: IncomingMessage): Coding {
  const sent = request.headers['content-encoding']?.trim().toLowerCase() ?? 'identity'
  if (sent === 'identity' || sent === 'gzip' || sent === 'br') return sent
  // RFC 9110, section 8.4.1.3: recipients treat x-gzip as gzip.
  if (sent === 'x-gzip') return 'gzip'
  const message = `The content coding of the body must be one of ${codings}.`
  const headers = { 'Accept-Encoding': codings }
  throw new Refusal({ status: 415, code: 'unsupported_media_type' }, message, { headers })
}

function receive(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    const onData = (chunk: Buffer): void => {
      size += chunk.length
      if (size <= maxBytes) {
        chunks.push(chunk)
        return
      }
      // The rest is read and dropped by node:http once the answer is sent.
      request.off('data', onData)
      reject(tooLarge(maxBytes))
    }
    request.on('data', onData)
    request.once('end', () => resolve(Buffer.concat(chunks)))
    request.once('error', (cause) => reject(new CallerGone('The caller went away.', { cause })))
    request.once('aborted', () => reject(new CallerGone('The caller went away.')))
  })
}

async function inflate(bytes: Buffer, coding: Coding, maxBytes: number): Promise<Buffer> {
  if (coding === 'identity') return bytes
  try {
    return await decoders[coding](bytes, { maxOutputLength: maxBytes })
  } catch (cause) {
    if (cause instanceof RangeError) throw tooLarge(maxBytes)
    const details = [{ path: '/body', message: `byte 0: is not valid ${coding}` }]
    const refused = { status: 400, code: 'malformed_json' } as const
    throw new Refusal(refused, `The body is not valid ${coding}.`, { details, cause })
  }
}

function tooLarge(maxBytes: number): Refusal {
  const message = `The body is larger than ${maxBytes} bytes.`
  return new Refusal({ status: 413, code: 'payload_too_large' }, message)
}
