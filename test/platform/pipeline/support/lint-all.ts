import { join, resolve } from 'node:path'
import { run } from './program.ts'
import { project } from './workspace.ts'

/** What a rule found, and where. */
export interface Problem {
  readonly rule: string
  readonly line: number
  readonly col: number
}

interface Report {
  readonly problems: readonly {
    readonly ruleId: string
    readonly location: readonly [
      { readonly source: { ref: string }; readonly start: { line: number; col: number } },
    ]
  }[]
}

/** Lints many descriptions by the project's rules in one run; gives the problems by file. */
export async function lintAll(specs: readonly string[]): Promise<Map<string, Problem[]>> {
  const redocly = join(project, 'node_modules/@redocly/cli/bin/cli.js')
  const configuration = ['--config', join(project, 'redocly.yaml'), '--max-problems=10000']
  const env = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
  const { output, complaint } = await run(
    redocly,
    ['lint', ...specs, '--format=json', ...configuration],
    {
      env,
    },
  )
  const found = new Map<string, Problem[]>(specs.map((spec) => [spec, []]))
  // The reports of the descriptions stand one behind the other.
  const reports: Report[] = output.split(/(?<=^\})(?=\{)/m).map((report) => JSON.parse(report))
  // A crash of the linter ends the run, and what comes after it looks fine.
  if (reports.length !== specs.length) throw new Error(complaint)
  for (const {
    ruleId,
    location: [{ source, start }],
  } of reports.flatMap(({ problems }) => problems)) {
    found.get(resolve(project, source.ref))?.push({ rule: ruleId, ...start })
  }
  return found
}
