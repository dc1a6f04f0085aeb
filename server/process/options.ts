import { type ParseArgsConfig, parseArgs } from 'node:util'
import { OperatorError } from './operator-error.ts'

/** Reports a wrong command line (exit status 2). The message is one line that says what is right. */
export class UsageError extends OperatorError {
  override readonly name = 'UsageError'
}

/**
 * Parses arguments as `parseArgs` does; throws a `UsageError` if they are wrong, also for an option that is
 * given twice, unless it may be repeated.
 */
export function parseOptions<Config extends ParseArgsConfig>(config: Config) {
  try {
    assertGivenOnce(config)
    return parseArgs(config)
  } catch (error) {
    if (!(error instanceof TypeError)) {
      throw error
    }
    const lines = error.message.split('\n').map((line) => line.trim())
    throw new UsageError(lines.join(' '), { cause: error })
  }
}

// `parseArgs` would take the last value.
function assertGivenOnce(config: ParseArgsConfig): void {
  const { tokens = [] } = parseArgs({ ...config, tokens: true })
  const givenNames = new Set<string>()
  for (const token of tokens) {
    if (token.kind !== 'option') {
      continue
    }

    const { name } = token
    const isRepeatable = config.options?.[name]?.multiple === true
    if (givenNames.has(name) && !isRepeatable) {
      throw new UsageError(`--${name} must be given once.`)
    }
    givenNames.add(name)
  }
}
