/** An error whose message alone tells people what happened and what to do next. */
export class PlainError extends Error {}

/** An error as it is shown to people: one line where they can mend it, else with its stack. */
export function explain(error: unknown): string {
  if (error instanceof PlainError) return error.message
  return error instanceof Error ? String(error.stack) : String(error)
}

/** The words of an error; Node.js gives none where it tried several addresses. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join(', ')
  return error instanceof Error ? error.message : String(error)
}
