import { relative } from 'node:path'
import { isFailure } from '../pipeline/failure.ts'
import type { LinterOutput } from '../pipeline/lint.ts'
import { lint } from '../pipeline/lint.ts'
import { projectOutput, projectPath, projectSpec } from '../pipeline/project.ts'
import type { CompilerJob, CompilerResult } from './compiler-process.ts'
import type { Finding } from './loop-state.ts'
import type { Stopwatch } from './steps.ts'
import { createWorker } from './worker.ts'

/** What became of the description as it is saved. */
export interface ContractResult {
  /** What is wrong with it; then `generated/` is as it was. */
  readonly findings: readonly Finding[]
  /** The files of `generated/` that changed, by absolute path. */
  readonly changed: readonly string[]
}

/** Lints and compiles the description in processes that stay, because most of the time is loading. */
export function createContractStep() {
  const linter = createWorker<readonly string[], LinterOutput>(here('linter-process.ts'))
  const compiler = createWorker<CompilerJob, CompilerResult>(here('compiler-process.ts'))

  async function findingsOfLint(): Promise<readonly Finding[]> {
    try {
      // At this level warnings are refused as errors are.
      const { errors } = await lint(projectSpec, 'strict', linter.ask)
      return errors.map(toFinding)
    } catch (error) {
      if (!isFailure(error)) throw error
      return error.message.split('\n').map(toFinding)
    }
  }

  return {
    /** Forgets the rules, which changed. */
    renewRules: linter.renew,
    async run({ time }: Stopwatch): Promise<ContractResult> {
      const [findings, compiled] = await Promise.all([
        time('lint', findingsOfLint),
        time('generate', () => compiler.ask({ kind: 'compile', spec: projectSpec })),
      ])
      // The linter says where in the description the trouble is, so it is heard first.
      const all = findings.length > 0 ? findings : compiled.faults.map(toFinding)
      if (all.length > 0) return { findings: all, changed: [] }
      const written = await compiler.ask({ kind: 'write', out: projectOutput })
      const changed = written.changed.map((name) => projectPath(projectOutput, name))
      return { findings: [], changed }
    },
    stop: () => Promise.all([linter.stop(), compiler.stop()]),
  }
}

/** Reads what the pipeline says of a description: `file:line:column rule message`. */
export function toFinding(line: string): Finding {
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
