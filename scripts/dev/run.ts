import { relative, sep } from 'node:path'
import { UsageError } from '../pipeline/failure.ts'
import { projectPath, projectSpec } from '../pipeline/project.ts'
import { type FileChanges, filesOf, isChange, only } from './file-changes.ts'
import type { LoopState, LoopStateHolder } from './loop-state.ts'
import type { Attempt } from './service-attempt.ts'
import type { Stopwatch } from './steps.ts'
import type { Tools } from './tools.ts'

/** The paths whose files the loop looks at. */
export const watched = ['spec', 'redocly.yaml', 'server', 'client', 'scripts', 'test'].map((path) =>
  projectPath(path),
)

const isSpec = (file: string): boolean => isBelow(file, 'spec') || isRule(file)
const isRule = (file: string): boolean =>
  isBelow(file, 'spec/rules') || isBelow(file, 'redocly.yaml')
const isServer = (file: string): boolean => isBelow(file, 'server')

/** Does what some changes ask for, side by side where it can, and notes what came of it. */
export async function runOnce(
  tools: Tools,
  state: LoopStateHolder,
  changes: FileChanges,
  watch: Stopwatch,
): Promise<void> {
  const { time } = watch
  const isFirst = state.get().run === 0
  const files = filesOf(changes)
  if (files.some(isRule)) tools.contract.renewRules()
  const isSpecSaved = isFirst || files.some(isSpec)
  const contract = isSpecSaved ? await tools.contract.run(watch) : undefined
  const findings = contract?.findings ?? state.get().lint
  const generated = contract?.changed ?? []
  const code = only(changes, (file) => file.endsWith('.ts'))
  const isToCheck = isFirst || isChange(code) || generated.length > 0
  const isToServe = isFirst || files.some(isServer) || generated.length > 0
  const isToCompare = isSpecSaved && findings.length === 0
  const { types, host, differ } = tools
  const [faults, attempt, compared] = await Promise.all([
    isToCheck ? time('types', () => types.check(withChanged(code, generated))) : undefined,
    isToServe || state.get().trouble !== undefined ? time('restart', host.restart) : undefined,
    isToCompare ? time('diff', () => differ.ask({ spec: projectSpec })) : undefined,
  ])
  state.set({
    run: state.get().run + 1,
    saved: files.map((file) => relative(projectPath(), file)),
    lint: findings,
    ...(faults === undefined ? {} : { code: faults }),
    ...(compared === undefined ? {} : { diff: compared.diff }),
    ...(attempt === undefined ? {} : toChange(attempt)),
  })
}

/** What an attempt to serve changes in the state. */
export function toChange(attempt: Attempt): Partial<LoopState> {
  if (attempt.kind === 'failed') {
    if (attempt.isFinal) throw new UsageError(attempt.message)
    return { trouble: attempt.message }
  }
  return { trouble: undefined, operations: attempt.operations }
}

function withChanged(changes: FileChanges, generated: readonly string[]): FileChanges {
  return { ...changes, changed: [...changes.changed, ...generated] }
}

function isBelow(file: string, path: string): boolean {
  const folder = projectPath(path)
  return file === folder || file.startsWith(`${folder}${sep}`)
}
