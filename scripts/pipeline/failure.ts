import { UsageError } from '../../server/process/options.ts'

/** A description, or a package, that cannot be compiled, with one line for each error; the exit status is 1. */
export class DescriptionError extends Error {
  override readonly name = 'DescriptionError'
  /** The same errors for a person, each with an excerpt of its file. */
  readonly report: readonly string[]

  constructor(lines: readonly string[], report = lines) {
    super(lines.join('\n'))
    this.report = report
  }
}

/** Returns whether an error is one that the user can fix, described in its message alone. */
export function isFailure(error: unknown): error is UsageError | DescriptionError {
  return error instanceof UsageError || error instanceof DescriptionError
}

/** Returns the lines that describe an error to the user; throws one that is a bug of ours. */
export function reportOf(error: unknown): readonly string[] {
  if (!isFailure(error)) {
    throw error
  }
  return error instanceof DescriptionError ? error.report : [error.message]
}

/**
 * Runs a command, or prints its usage; an error that its user can fix, such as an argument that `parseArgs`
 * rejects, is printed without a stack.
 */
export async function runCommand(usage: string, command: () => Promise<void>): Promise<void> {
  // A reader such as `head` closes a pipe when it has enough.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') {
      return
    }
    console.error(`Cannot write to standard output: ${error.message}`)
    process.exitCode = 1
  })
  try {
    if (process.argv.some((arg) => arg === '--help' || arg === '-h')) {
      console.log(usage)
    } else {
      await command()
    }
  } catch (error) {
    console.error(reportOf(withUsage(error, usage)).join('\n'))
    process.exitCode = error instanceof UsageError ? 2 : 1
  }
}

/** Returns an error of `parseArgs` with the usage in place of its advice, and any other error unchanged. */
function withUsage(error: unknown, usage: string): unknown {
  if (!(error instanceof UsageError && error.cause instanceof TypeError)) {
    return error
  }

  const [problem] = error.message.split('. ')
  return new UsageError(`${problem}; ${usage}`, { cause: error.cause })
}

/** Runs a command that takes no arguments, such as `npm run check`. */
export async function runPlainCommand(name: string, command: () => Promise<void>): Promise<void> {
  const usage = `usage: ${name}, without arguments`
  await runCommand(usage, async () => {
    if (process.argv.length > 2) {
      throw new UsageError(usage)
    }
    await command()
  })
}
