import { ApiError } from '../errors.ts'

/** The refusal of a body that has more bytes than it may, as sent or inflated. */
export function tooLarge(maxBytes: number): ApiError {
  const message = `The body is larger than ${maxBytes} bytes.`
  return new ApiError({ status: 413, code: 'payload_too_large' }, message)
}

/** The refusal of a body that cannot be read, with the place in bytes from its start. */
export function malformedBody(
  message: string,
  offset: number,
  fault: string,
  cause?: unknown,
): ApiError {
  const details = [{ path: '/body', message: `byte ${offset}: ${fault}` }]
  return new ApiError({ status: 400, code: 'malformed_json' }, message, { details, cause })
}
