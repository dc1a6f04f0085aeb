import { type ParseArgsConfig, parseArgs } from 'node:util'
import { stopOnSignals } from '../ops/signals.ts'
import { explain, PlainError } from '../plain-error.ts'

/** A wrong command line; the message is one line that says how to type it. Exit status 2. */
export class UsageError extends PlainError {
  override readonly name = 'UsageError'
}

/** A command that cannot do its work; the message says why and what to do. Exit status 1. */
export class CommandError extends PlainError {
  override readonly name = 'CommandError'
}

/** Runs a command with the arguments of the process, or prints its usage. */
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

// The messages of parseArgs may have several lines.
function toUsageError(error: unknown): UsageError | undefined {
  if (error instanceof UsageError) return error
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (!(error instanceof Error && code.startsWith('ERR_PARSE_ARGS'))) return undefined
  return new UsageError(error.message.replaceAll(/\s*\n\s*/g, ' '), { cause: error })
}

/** Parses arguments as `parseArgs` does, and rejects an option that is given more than once. */
export function parseOptions<Config extends ParseArgsConfig>(
  config: Config,
): ReturnType<typeof parseArgs<Config>> {
  const parsed = parseArgs(config)
  const tokenized: ParseArgsConfig = { ...config, tokens: true }
  const names = (parseArgs(tokenized).tokens ?? []).flatMap((token) =>
    token.kind === 'option' ? [token.name] : [],
  )
  const repeated = names.find((name, index) => names.indexOf(name) !== index)
  if (repeated === undefined) return parsed
  throw new UsageError(`--${repeated} was given more than once. Give it once.`)
}

/** Returns the only positional argument; throws a `UsageError` if there is none, or more than one. */
export function onlyArgument([first, ...more]: readonly string[], message: string): string {
  if (first !== undefined && more.length === 0) return first
  throw new UsageError(message)
}

/** Returns a signal that aborts when the process is asked to stop; its reason is a `CommandError`. */
export function abortOnSignals(message: string): AbortSignal {
  const stop = new AbortController()
  const reason = new CommandError(message)
  stopOnSignals(async () => stop.abort(reason))
  return stop.signal
}
