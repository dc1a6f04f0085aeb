import { relative } from 'node:path'
import { isFailure } from '../pipeline/failure.ts'
import { lint } from '../pipeline/lint.ts'
import { projectOutput, projectPath, projectSpec } from '../pipeline/project.ts'
import { type RedoclyOutput, runRedoclyBy } from '../pipeline/redocly.ts'
import type { CompilerJob, CompilerResult } from './compiler-process.ts'
import type { LintFinding } from './loop-state.ts'
import type { Stopwatch } from './steps.ts'
import { createWorker } from './worker.ts'

/** What became of the description as it is saved. */
export interface ContractResult {
  /** What is wrong with it; then `generated/` is as it was. */
  readonly findings: readonly LintFinding[]
  /** The files that the service runs on and that changed, by absolute path. */
  readonly changed: readonly string[]
}

/** Lints and compiles the description in processes that stay: most of the time is for loading. */
export function createContractStep() {
  const linter = createWorker<readonly string[], RedoclyOutput>(here('linter-process.ts'))
  const compiler = createWorker<CompilerJob, CompilerResult>(here('compiler-process.ts'))

  runRedoclyBy(linter.ask)

  /** The lines of what the linter finds, or why it cannot read the description. */
  async function runLint() {
    try {
      // At this level warnings are refused as errors are.
      return { lines: (await lint(projectSpec, 'strict')).errors, failure: undefined }
    } catch (error) {
      if (!isFailure(error)) throw error
      return { lines: [], failure: error.message }
    }
  }

  async function write(what: 'served' | 'for code'): Promise<readonly string[]> {
    const { changed, faults } = await compiler.ask({ kind: 'write', what, out: projectOutput })
    if (faults.length > 0) throw new Error(faults.join('\n'))
    return changed.map((name) => projectPath(projectOutput, name))
  }

  return {
    /** Forgets the rules, which changed. */
    renewRules: linter.renew,
    async run({ time }: Stopwatch): Promise<ContractResult> {
      const [{ lines, failure }, compiled] = await Promise.all([
        time('lint', runLint),
        time('generate', () => compiler.ask({ kind: 'read', spec: projectSpec })),
      ])
      // The linter says where in the description the trouble is, so it is heard first; of what is
      // no description at all the compiler says it better.
      const said = [lines, compiled.faults, failure === undefined ? [] : [failure]]
      const findings = said.find(({ length }) => length > 0)?.map(toFinding) ?? []
      return { findings, changed: findings.length > 0 ? [] : await write('served') }
    },
    /** Writes what code is compiled with, of the description that was found good last. */
    writeForCode: () => write('for code'),
    stop: () => Promise.all([linter.stop(), compiler.stop()]),
  }
}

/** Reads what the pipeline says of a description: `file:line:column rule message`. */
export function toFinding(line: string): LintFinding {
  const found = /^(\S+?):(\d+):(\d+) (\S+) (.*)$/s.exec(line)
  if (found === null) {
    const file = relative(process.cwd(), projectSpec)
    return { file, line: 1, column: 1, rule: 'description', severity: 'error', message: line }
  }
  const [, file = '', at = '1', column = '1', rule = '', message = ''] = found
  return { file, line: Number(at), column: Number(column), rule, severity: 'error', message }
}

function here(name: string): string {
  return projectPath('scripts/dev', name)
}
