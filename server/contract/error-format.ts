import { reasonOf } from '../description/error-roles.ts'
import { json } from '../description/media-types.ts'
import type { ErrorContent } from './handler-response.ts'

export { reasonOf }

/** An error of the platform or of a handler, before it has the format of the API. */
export interface ErrorFacts extends ErrorContent {
  readonly status: number
  /** The ID that the response has in `X-Request-Id`, too. */
  readonly requestId: string
}

/** The format of an API for its errors; `Body` is the type that the description gives them. */
export interface ErrorFormat<Body = unknown> {
  /** The media type of JSON that errors have where they are not declared, or declared in it. */
  readonly mediaType: string
  readonly toBody: (error: ErrorFacts) => Body
}

/** The platform's own format: the Error object of `spec/platform.yaml`. */
export const errorObject = {
  mediaType: json,
  toBody({ code, message, status, details }) {
    return { code, message, status, ...(details.length === 0 ? {} : { details }) }
  },
} satisfies ErrorFormat

/** Problem details (RFC 9457), with the code and the details of the error as extensions. */
export const problemDetails = {
  mediaType: 'application/problem+json',
  toBody({ status, code, message, details }) {
    return {
      type: 'about:blank',
      title: reasonOf(status),
      status,
      detail: message,
      code,
      ...(details.length === 0 ? {} : { errors: details }),
    }
  },
} satisfies ErrorFormat
