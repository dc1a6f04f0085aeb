import type { IncomingMessage, ServerResponse } from 'node:http'
import { ApiError, invalidRequest } from '../errors.ts'
import { parseIJson } from '../i-json.ts'
import type { RequestBody } from '../operation.ts'
import { malformedBody, tooLarge } from './body-refusals.ts'
import { codingOf, inflate } from './content-coding.ts'
import { fieldValues } from './field-values.ts'
import { awaitsContinue, hasContent, receive } from './received-body.ts'

/** For a description that does not set `x-max-bytes` on a request body. */
export const defaultMaxBytes = 1_000_000

/** A body, and the media type to judge it by; no value where none was sent. */
export interface ReadBody {
  readonly mediaType: string | undefined
  readonly body: unknown
}

/** Reads the body of a request as I-JSON; one that the operation cannot take is not read. */
export async function readBody(
  { mediaTypes, maxBytes = defaultMaxBytes, required }: RequestBody,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<ReadBody> {
  // A missing body has no media type. With one, the validator would miss what it has to have.
  const missing = { mediaType: required ? mediaTypes[0] : undefined, body: undefined }
  if (!(await hasContent(request))) return missing
  assertOneContentType(request)
  const mediaType = checkMediaType(mediaTypes, request)
  const coding = codingOf(request)
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw tooLarge(maxBytes)
  if (awaitsContinue(request)) response.writeContinue()
  const received = await receive(request, maxBytes)
  if (received.length === 0) return missing
  const bytes = await inflate(received, coding, maxBytes)
  if (bytes.length === 0) return missing
  const parsed = parseIJson(bytes)
  if ('value' in parsed) return { mediaType, body: parsed.value }
  const { offset, message } = parsed.error
  throw malformedBody('The body is not I-JSON (RFC 7493).', offset, message)
}

// node:http keeps the first of several and drops the others.
function assertOneContentType(request: IncomingMessage): void {
  const [first, ...more] = fieldValues(request, 'content-type')
  if (more.every((value) => value === first)) return
  throw invalidRequest([{ path: '/headers/content-type', message: 'must be given once' }])
}

function checkMediaType(accepted: readonly string[], request: IncomingMessage): string {
  const sent = essenceOf(request.headers['content-type'])
  const mediaType = accepted.find((candidate) => essenceOf(candidate) === sent)
  if (mediaType !== undefined) return mediaType
  const message = `The body must be ${accepted.join(' or ')}.`
  const headers = { Accept: accepted.join(', ') }
  throw new ApiError({ status: 415, code: 'unsupported_media_type' }, message, { headers })
}

function essenceOf(mediaType: string | undefined): string | undefined {
  return mediaType?.split(';', 1)[0]?.trim().toLowerCase()
}
