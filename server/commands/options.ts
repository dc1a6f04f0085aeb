import { type ParseArgsConfig, parseArgs } from 'node:util'
import { UsageError } from './usage-error.ts'

/** Parses the arguments of a command as `parseArgs` does, and rejects an option that is repeated. */
export function parseOptions<Config extends ParseArgsConfig>(
  config: Config,
): ReturnType<typeof parseArgs<Config>> {
  // First, so that what parseArgs rejects is reported in its words.
  const parsed = parseArgs(config)
  const tokenized: ParseArgsConfig = { ...config, tokens: true }
  const names = (parseArgs(tokenized).tokens ?? []).flatMap((token) =>
    token.kind === 'option' ? [token.name] : [],
  )
  const repeated = names.find((name, index) => names.indexOf(name) !== index)
  if (repeated === undefined) return parsed
  throw new UsageError(`--${repeated} was given more than once. Give it once.`)
}
