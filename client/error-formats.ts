import type { ErrorContent } from './errors.ts'
import { isRecord } from './record.ts'

/** The members in which formats have what went wrong, for people, the best one first. */
const messageNames = [
  'message',
  'detail',
  'error_description',
  'description',
  'title',
  'msg',
  'reason',
  'error',
]

/**
 * Reads the error in the body of a response: an object with a message, such as an Error object or problem
 * details, in its member `error`, or as the first of its `errors`; undefined if there is no message.
 */
export function readAnyError(body: unknown, mediaType: string): ErrorContent | undefined {
  if (typeof body === 'string' && body !== '' && mediaType.startsWith('text/plain')) {
    return { code: 'http_error', message: body, details: [] }
  }
  if (!isRecord(body)) {
    return undefined
  }

  const [first] = Array.isArray(body['errors']) ? body['errors'] : []
  const nested = [body['error'], body, first].filter(isRecord)
  const error = nested.find((each) => messageOf(each) !== undefined)
  const message = error && messageOf(error)
  if (error === undefined || message === undefined) {
    return undefined
  }

  const { code = body['code'], details = body['errors'] } = error
  const { error: name } = body
  const codes = [code, name].filter((each) => typeof each === 'string' && each !== message)
  const firstCode = codes.length === 0 ? 'http_error' : String(codes[0])
  return { code: firstCode, message, details: Array.isArray(details) ? details : [] }
}

function messageOf(error: Readonly<Record<string, unknown>>): string | undefined {
  const texts = messageNames.map((name) => error[name])
  return texts.find((text) => typeof text === 'string' && text !== '') as string | undefined
}
