import type { OutgoingHeaders } from './request-context.ts'

/** An answer before it is checked and written. */
export interface AnyResponse {
  readonly status: number
  readonly headers?: Readonly<OutgoingHeaders>
  /** A JSON value, or text where `mediaType` is not JSON; absent for an answer without content. */
  readonly body?: unknown
  /** `application/json` unless it says otherwise. */
  readonly mediaType?: string
  /** Set where the contract does not rule the answer, such as one to a CORS preflight. */
  readonly isOutsideContract?: true
}

/** The media type of every answer of the contract. */
export const json = 'application/json'
