/** An error whose message alone shows people what happened and what to do next. */
export class OperatorError extends Error {}

/** Returns an error as it is shown to people: one line where they can fix it, else with its stack. */
export function explain(error: unknown): string {
  if (error instanceof OperatorError) {
    return error.message
  }
  return error instanceof Error ? String(error.stack) : String(error)
}

/** Returns the words of an error; Node.js gives none where it tried several addresses. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) {
    return error.errors.map(reasonOf).join(', ')
  }
  return error instanceof Error ? error.message : String(error)
}
