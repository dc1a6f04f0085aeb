import { parseArgs } from 'node:util'
import { UsageError } from '../pipeline/failure.ts'
import { type ReportFormat, reportFormats } from './report.ts'

/** What `npm run diff` was asked to do. */
export interface DiffOptions {
  /** What to compare with; the last release if it is not named. */
  readonly ref: string | undefined
  readonly format: ReportFormat
}

const usage = `usage: npm run diff -- [REF] [--format ${reportFormats.join('|')}]`

/** Reads the arguments of `npm run diff`. */
export function readDiffOptions(args: readonly string[]): DiffOptions {
  const { values, positionals } = parse(args)
  const format = reportFormats.find((name) => name === values.format)
  if (format === undefined) {
    throw new UsageError(
      `--format is ${reportFormats.join(', ')}, not '${values.format}'; ${usage}`,
    )
  }
  const [ref, ...others] = positionals
  if (others.length > 0) throw new UsageError(`only one ref can be compared with; ${usage}`)
  return { ref, format }
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { format: { type: 'string', default: 'text' } },
    })
  } catch (error) {
    const reason = error instanceof Error ? error.message.split('. ')[0] : String(error)
    throw new UsageError(`${reason}; ${usage}`)
  }
}
