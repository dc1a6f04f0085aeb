import { explain } from '../plain-error.ts'
import { UsageError } from './usage-error.ts'

/** Runs what was typed, or shows how it is typed; exit status 1 for a failure, 2 for a wrong use. */
export async function runCommand(
  usage: string,
  run: (args: string[]) => Promise<void>,
): Promise<void> {
  const args = process.argv.slice(2)
  try {
    if (args[0] === 'help' || args.includes('--help') || args.includes('-h')) console.log(usage)
    else await run(args)
  } catch (error) {
    const usageError = toUsageError(error)
    console.error(explain(usageError ?? error))
    process.exitCode = usageError === undefined ? 1 : 2
  }
}

// What parseArgs complains of is a usage error as well, though not always in one line.
function toUsageError(error: unknown): UsageError | undefined {
  if (error instanceof UsageError) return error
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (!(error instanceof Error && code.startsWith('ERR_PARSE_ARGS'))) return undefined
  return new UsageError(error.message.replaceAll(/\s*\n\s*/g, ' '), { cause: error })
}
