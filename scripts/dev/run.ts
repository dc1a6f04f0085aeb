import { relative, sep } from 'node:path'
import { UsageError } from '../pipeline/failure.ts'
import { projectPath, projectSpec } from '../pipeline/project.ts'
import { type FileChanges, filesOf, isChange, only } from './file-changes.ts'
import type { LoopState } from './loop-state.ts'
import type { LoopStateHolder } from './loop-state-holder.ts'
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

/** The changes that a run has something to do for. */
export function ofInterest(changes: FileChanges): FileChanges {
  return only(changes, (file) => isSpec(file) || file.endsWith('.ts'))
}

/** Milliseconds from which on the types of a description are told to take long. */
const longTypes = 1_000

/** What a run still waits for when everything that was asked for is served. */
export type Rest = Promise<Partial<LoopState>>

/**
 * Does what some changes ask for and notes what came of it; what takes longer is the rest. Tells
 * whether it put something into service.
 */
export async function runOnce(
  tools: Tools,
  state: LoopStateHolder,
  changes: FileChanges,
  watch: Stopwatch,
): Promise<{ readonly rest: Rest; readonly isServed: boolean }> {
  const { time } = watch
  const isFirst = state.get().run === 0
  const files = filesOf(changes)
  if (files.some(isRule)) tools.contract.renewRules()
  const isSpecSaved = isFirst || files.some(isSpec)
  const contract = isSpecSaved ? await tools.contract.run(watch) : undefined
  const findings = contract?.findings ?? state.get().lint
  const served = contract?.changed ?? []
  const isGood = isSpecSaved && findings.length === 0
  const isToServe = isFirst || files.some(isServer) || served.length > 0
  const isLost = state.get().trouble !== undefined
  const restart = isToServe || isLost ? time('restart', tools.host.restart) : undefined
  // Where a description is large, they would take the processors from the service that is starting.
  const isSlow = (state.get().milliseconds['types'] ?? 0) > longTypes
  const turn = Promise.resolve(isSlow ? restart : undefined)
  const checking = turn.then(() => checkTypes(tools, changes, isGood && isToServe, isFirst, watch))
  const comparing = isGood
    ? turn.then(() => time('diff', () => tools.differ.ask({ spec: projectSpec })))
    : {}
  const rest = Promise.all([comparing, checking]).then(([compared, checked]) => {
    return { ...compared, ...checked }
  })
  rest.catch(() => undefined)
  const attempt = restart === undefined ? {} : toChange(await restart)
  const saved = files.map((file) => relative(projectPath(), file))
  const milliseconds = watch.read()
  state.set({ run: state.get().run + 1, saved, milliseconds, lint: findings, ...attempt })
  return { rest, isServed: restart !== undefined && state.get().trouble === undefined }
}

async function checkTypes(
  { contract, types }: Tools,
  changes: FileChanges,
  isToWrite: boolean,
  isFirst: boolean,
  { time }: Stopwatch,
): Promise<Partial<LoopState>> {
  const code = only(changes, (file) => file.endsWith('.ts'))
  const checked = await time('types', async () => {
    const generated = isToWrite ? await contract.writeForCode() : []
    const all = withChanged(code, generated)
    return isFirst || isChange(all) ? await types.check(all) : undefined
  })
  if (checked === undefined) return {}
  const { faults, inTests } = checked
  return { code: [...faults, ...(await time('tests', () => inTests))] }
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
