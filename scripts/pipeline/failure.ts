/** A mistake in how a command was called, told in one line; the exit status is 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** A description that cannot be compiled, told in one line a problem; the exit status is 1. */
export class DescriptionError extends Error {
  override readonly name = 'DescriptionError'

  constructor(lines: readonly string[]) {
    super(lines.join('\n'))
  }
}

/** Whether an error is one that the user can mend, told in its message alone. */
export function isFailure(error: unknown): error is UsageError | DescriptionError {
  return error instanceof UsageError || error instanceof DescriptionError
}

/** Runs a command; what its user can mend is told without a stack, anything else is our fault. */
export async function runCommand(command: () => Promise<void>): Promise<void> {
  try {
    await command()
  } catch (error) {
    if (!isFailure(error)) throw error
    console.error(error.message)
    process.exitCode = error instanceof UsageError ? 2 : 1
  }
}

/** Returns what reading the command line gives; what it throws becomes a usage error. */
export function toUsageError<Result>(usage: string, read: () => Result): Result {
  try {
    return read()
  } catch (error) {
    const reason = error instanceof Error ? error.message.split('. ')[0] : String(error)
    throw new UsageError(`${reason}; ${usage}`)
  }
}
