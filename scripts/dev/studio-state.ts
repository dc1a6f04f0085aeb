import { type Change, splitRewordings } from '../diff/contract-diff.ts'
import { type Card, cardsOfChanges, cardsOfFindings } from './cards.ts'
import { ExcerptReader } from './excerpt.ts'
import type { LoopState } from './state.ts'
import { type Step, stepsOf } from './steps.ts'
import { type Verdict, verdictOf } from './verdict.ts'

/** The findings of a run. A list is undefined while its findings are unknown. */
export interface RunFindings {
  readonly errors: readonly Card[]
  readonly warnings: readonly Card[]
  readonly code: readonly Card[] | undefined
  readonly breaking: readonly Card[] | undefined
  readonly compatible: readonly Card[] | undefined
  readonly rewordings: readonly Card[] | undefined
  /** What the platform says in other words, which no version of the API is needed for. */
  readonly platform: readonly Card[] | undefined
  readonly accepted: readonly Card[] | undefined
}

/** Everything that the studio page shows. */
export interface StudioState
  extends Pick<
    LoopState,
    | 'run'
    | 'saved'
    | 'processing'
    | 'milliseconds'
    | 'service'
    | 'reference'
    | 'title'
    | 'operations'
    | 'requests'
  > {
  readonly verdict: Verdict
  readonly steps: readonly Step[]
  readonly findings: RunFindings
  /** The version of the last release; undefined before the first one. */
  readonly released: string | undefined
  /** The template of a link to an editor, with `{file}` for a path in the project. */
  readonly editorUrl: string
}

/** Returns what the page shows of a state; `findings` are those of its run. */
export function toStudioState(
  state: LoopState,
  findings: RunFindings,
  editorUrl: string,
): StudioState {
  const { run, saved, processing, milliseconds, service, reference, title } = state
  return {
    ...{ run, saved, processing, milliseconds, service, reference, title },
    operations: state.operations,
    requests: state.requests,
    verdict: verdictOf(state),
    steps: stepsOf(state),
    findings,
    released: state.diff?.base.version,
    editorUrl,
  }
}

/** Reads the lines around the findings of a run. */
export function readFindings(state: LoopState): RunFindings {
  const { lint, warnings, code, diff, isCompared, isCodeChecked } = state
  const reader = new ExcerptReader()
  const { changes, rewordings, platformRewordings } = splitRewordings(diff?.changes ?? [])
  const ofContract = (items: readonly Change[]) => {
    return isCompared ? cardsOfChanges(items, reader) : undefined
  }
  return {
    errors: cardsOfFindings(lint, reader),
    warnings: cardsOfFindings(warnings, reader),
    code: isCodeChecked ? cardsOfFindings(code, reader) : undefined,
    breaking: ofContract(changes.filter(({ breaking }) => breaking)),
    compatible: ofContract(changes.filter(({ breaking }) => !breaking)),
    rewordings: ofContract(rewordings),
    platform: ofContract(platformRewordings),
    accepted: ofContract(diff?.accepted ?? []),
  }
}
