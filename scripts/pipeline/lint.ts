import { DescriptionError } from './failure.ts'
import { projectPath, shortPath } from './project.ts'
import { runRedocly } from './redocly.ts'

/** How much is asked of a description: our own promises, or only Redocly's ruleset of that name. */
export const lintLevels = ['strict', 'recommended', 'minimal'] as const
export type LintLevel = (typeof lintLevels)[number]

export function isLintLevel(name: string): name is LintLevel {
  return lintLevels.some((level) => level === name)
}

/** What the linter found, each problem as `file:line:column rule message`. */
export interface LintResult {
  readonly errors: readonly string[]
  readonly warnings: readonly string[]
}

/** The parts of Redocly's JSON report that are read here. */
interface Report {
  readonly totals: { readonly errors: number; readonly warnings: number; readonly ignored: number }
  readonly problems: readonly Problem[]
}

interface Problem {
  readonly ruleId: string
  readonly severity: 'error' | 'warn'
  readonly message: string
  readonly location: readonly {
    readonly source: { readonly ref: string }
    /** Null in a file that cannot be parsed. */
    readonly start?: { readonly line: number | null; readonly col: number | null }
  }[]
}

const maxProblems = 1000

/** Lints a description in a process of its own, so that it runs beside the bundling. */
export async function lint(spec: string, level: LintLevel): Promise<LintResult> {
  const { errors, warnings, ignored } = await lintWith(spec, configurationOf(level))
  if (level !== 'strict') return { errors, warnings }
  const unheard =
    ignored > 0 ? [`${shortPath(spec)}: problems are ignored (${ignored}); mend them instead`] : []
  return { errors: [...errors, ...unheard, ...warnings], warnings: [] }
}

/** Lints a description of any kind with a configuration; says also how many problems are ignored. */
export async function lintWith(
  file: string,
  configuration: string,
): Promise<LintResult & { readonly ignored: number }> {
  const report = await readReport(file, configuration)
  const errors = readLines(report, 'error')
  const warnings = readLines(report, 'warn')
  if (report.totals.errors + report.totals.warnings > maxProblems) {
    errors.push(`${shortPath(file)}: more than ${maxProblems} problems; only these are shown`)
  }
  return { errors, warnings, ignored: report.totals.ignored }
}

function configurationOf(level: LintLevel): string {
  return level === 'strict'
    ? projectPath('redocly.yaml')
    : projectPath('scripts/pipeline/lint-levels', `${level}.yaml`)
}

async function readReport(spec: string, configuration: string): Promise<Report> {
  const options = ['--format=json', `--max-problems=${maxProblems}`, '--config', configuration]
  const { output, complaint } = await runRedocly('lint', spec, ...options)
  try {
    return JSON.parse(output)
  } catch {
    throw new DescriptionError([`the linter failed on ${shortPath(spec)}: ${complaint.trim()}`])
  }
}

function readLines({ problems }: Report, wanted: Problem['severity']): string[] {
  const lines = problems.filter(({ severity }) => severity === wanted).map(toLine)
  // What several operations share is reported once for each of them.
  return [...new Set(lines)]
}

function toLine({ ruleId, message, location: [place] }: Problem): string {
  const start = place?.start
  const position = typeof start?.line !== 'number' ? '' : `:${start.line}:${start.col}`
  const oneLine = message.replaceAll(/\s+/g, ' ').trim()
  return `${place?.source.ref ?? ''}${position} ${ruleId} ${oneLine}`
}
