import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { UsageError } from '../scripts/pipeline/failure.ts'

/** What `npm run bench` was asked to do. */
export interface BenchOptions {
  /** The names of parts; all of them when the caller names none. */
  readonly chosen: readonly string[]
  readonly isQuick: boolean
  /** Where results are written; nowhere when undefined. */
  readonly out: string | undefined
}

/** Reads the arguments; results of a whole run that is not quick go where they are committed. */
export function readBenchOptions(
  args: readonly string[],
  names: readonly string[],
  results: string,
): BenchOptions {
  const usage = `usage: npm run bench -- [${names.join('|')} …] [--quick] [--out DIR]`
  const { values, positionals } = parse(args, usage)
  const unknown = positionals.find((name) => !names.includes(name))
  if (unknown !== undefined) throw new UsageError(`there is no part '${unknown}'; ${usage}`)
  if (values.out === '') throw new UsageError(`--out needs a folder; ${usage}`)
  const isWhole = positionals.length === 0
  const isQuick = values.quick
  const own = isWhole && !isQuick ? results : undefined
  return {
    chosen: isWhole ? names : names.filter((name) => positionals.includes(name)),
    isQuick,
    out: values.out === undefined ? own : resolve(values.out),
  }
}

function parse(args: readonly string[], usage: string) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { quick: { type: 'boolean', default: false }, out: { type: 'string' } },
    })
  } catch (error) {
    const [reason = ''] = error instanceof Error ? error.message.split('. ') : [String(error)]
    throw new UsageError(`${reason}; ${usage}`)
  }
}
