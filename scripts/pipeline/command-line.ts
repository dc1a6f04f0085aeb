import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { UsageError } from './failure.ts'
import { isLintLevel, type LintLevel, lintLevels } from './lint.ts'
import { projectOutput, projectSpec } from './project.ts'

/** What `npm run generate` was asked to do. */
export interface GenerateOptions {
  readonly spec: string
  readonly out: string
  readonly level: LintLevel
}

const usage = `usage: npm run generate -- [--spec FILE] [--out DIR] [--lint ${lintLevels.join('|')}]`

/** Reads the arguments of `npm run generate`; paths are relative to the current directory. */
export function readGenerateOptions(args: readonly string[]): GenerateOptions {
  const { spec, out, lint } = parse(args)
  if (!isLintLevel(lint)) {
    throw new UsageError(`--lint is ${lintLevels.join(', ')}, not '${lint}'; ${usage}`)
  }
  if (spec !== undefined && out === undefined) {
    throw new UsageError(`--spec needs --out, so that generated/ stays what it is; ${usage}`)
  }
  return {
    spec: spec === undefined ? projectSpec : resolve(spec),
    out: out === undefined ? projectOutput : resolve(out),
    level: lint,
  }
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        spec: { type: 'string' },
        out: { type: 'string' },
        lint: { type: 'string', default: 'strict' },
      },
    }).values
  } catch (error) {
    throw new UsageError(`${firstSentence(error)}; ${usage}`)
  }
}

function firstSentence(error: unknown): string {
  return error instanceof Error ? (error.message.split('. ')[0] ?? error.message) : String(error)
}
