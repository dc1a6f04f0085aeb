/** A request on its way to the checks, in parts any of which can be left out. */
export interface Attempt {
  /** As it is sent, still percent-encoded. */
  readonly path: string
  /** The pairs of the query, as they are sent. */
  readonly query: readonly string[]
  /** Header fields by lower-case name. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  /** What the body was found to be; undefined where nothing was sent. */
  readonly mediaType: string | undefined
  readonly body: unknown
  /** Whether the caller's credential was found good. */
  readonly isLetIn: boolean
}

/** What an attempt would be written as, to be repeated. */
export function printAttempt(attempt: Attempt): string {
  return JSON.stringify(attempt, (_key, value: unknown) => {
    if (value === undefined) return '(undefined)'
    return Object.is(value, -0) ? '(-0)' : value
  })
}
