import type { Pagination } from './next-page.ts'
import type { Styles } from './parameter-style.ts'

/** How an operation is called: an entry of `generated/calls.ts`. */
export interface Operation {
  readonly method: string
  readonly path: string
  /** Whether it has query parameters. */
  readonly query?: boolean
  /** How parameters are written that are not as usual, such as `{ 'query ids': 'form' }`. */
  readonly styles?: Styles
  /** Whether there is a body, or its media type where that is not `application/json`. */
  readonly body?: boolean | string
  /** Whether an `Idempotency-Key` makes it safe to repeat. */
  readonly idempotent?: boolean
  /** How a list leads from page to page. */
  readonly pages?: Pagination
  /** Statuses of success, other than 204, whose responses have no content; `2XX` and `default` among them. */
  readonly empty?: readonly (number | string)[]
  /** Statuses of redirects, `3XX` among them, that are results: they are not followed. */
  readonly redirects?: readonly (number | string)[]
  /** What to use instead of a deprecated operation. */
  readonly replacement?: string
  /**
   * Combinations of security schemes, one of which the operation requires, each scheme with how its
   * credentials are sent: `bearer`, `basic`, or the location and the name of a key, such as `query key`.
   * Absent where all operations take an API key as the bearer token.
   */
  readonly security?: readonly Readonly<Record<string, string>>[]
}
