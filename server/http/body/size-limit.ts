import { ApiError } from '../../contract/errors.ts'
import { requestSettingsOf } from '../../description/settings.ts'

/** The largest body, in bytes, where neither the description nor the settings have a limit. */
export const defaultMaxBytes = requestSettingsOf({}).maxBytes

/** Returns the error of a body that has too many bytes, as sent or decoded. */
export function tooLarge(maxBytes: number): ApiError {
  const message = `The body is larger than ${maxBytes} bytes.`
  return new ApiError({ status: 413, code: 'payload_too_large' }, message)
}

/** Returns the error of a file that has too many bytes. */
export function fileTooLarge(maxBytes: number): ApiError {
  const message = `A file of the body is larger than ${maxBytes} bytes.`
  return new ApiError({ status: 413, code: 'payload_too_large' }, message)
}
