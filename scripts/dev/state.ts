import type { Change, ContractDiff } from '../diff/contract-diff.ts'
import type { LoggedRequest, OperationState } from './design-service.ts'

/** A place in a file of the project. */
export interface Location {
  readonly file: string
  readonly line: number
  readonly column: number
}

/** A line to change, in the description or in the code. */
export interface Finding extends Location {
  /** The rule of the linter that it violates. */
  readonly rule?: string
  readonly message: string
}

/** Something that keeps the description from being released. */
export interface Obstacle {
  /** What is wrong, and what to do. */
  readonly message: string
  /** What is wrong, with its location in front if it has one. */
  readonly problem: string
  /** What to do, in the imperative, where that is known. */
  readonly fix?: string | undefined
  /** Text to be pasted into a file. */
  readonly snippet?: string | undefined
}

/** Everything that the terminal and the studio page show. */
export interface LoopState {
  /** How many saves have been processed. */
  readonly run: number
  readonly saved: readonly string[]
  /** The files that were saved since then, and are being processed. */
  readonly processing: readonly string[]
  /** The duration of each step, and `total`: steps run at the same time. */
  readonly milliseconds: Readonly<Record<string, number>>
  /** The origin of the service; undefined before the first start. */
  readonly service: string | undefined
  /** The URL of its reference. */
  readonly reference: string
  /** The title of the API in the last valid description. */
  readonly title: string
  /** Why the last save is not served. */
  readonly trouble: string | undefined
  /** Errors of the linter; while there are any, the description is not served. */
  readonly lint: readonly Finding[]
  /** Warnings of the linter about a valid description. */
  readonly warnings: readonly Finding[]
  readonly code: readonly Finding[]
  /** Why the description cannot be released, as `npm run check` says it. */
  readonly gate: readonly Obstacle[]
  /** Undefined before the first release. */
  readonly diff: ContractDiff | undefined
  /** Whether `diff` and `gate` are of the last save, whose description can be compared. */
  readonly isCompared: boolean
  /** Whether `code` is of the last save: the types of an invalid description are not checked. */
  readonly isCodeChecked: boolean
  /** The changes of `diff` that the last save brought. */
  readonly newChanges: readonly Change[]
  readonly operations: readonly OperationState[]
  /** The last 200, newest last. */
  readonly requests: readonly LoggedRequest[]
}

/** The state before the first run. */
export const initialState: LoopState = {
  run: 0,
  saved: [],
  processing: [],
  milliseconds: {},
  service: undefined,
  reference: '',
  title: '',
  trouble: undefined,
  lint: [],
  warnings: [],
  code: [],
  gate: [],
  diff: undefined,
  isCompared: false,
  isCodeChecked: false,
  newChanges: [],
  operations: [],
  requests: [],
}
