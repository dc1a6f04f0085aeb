/** What a change asks of the version: nothing, or the part of it that must grow (semver.org). */
export type Step = 'none' | 'patch' | 'minor' | 'major'

/** What changed in a contract, and what that means for its version and its consumers. */
export interface ContractDiff {
  /** The greatest step that any of the changes needs. */
  readonly step: Step
  readonly base: {
    readonly version: string
    /** What it was read from, such as a tag of git or a file. */
    readonly ref: string
  }
  readonly current: { readonly version: string }
  /** The version that the description should carry at least. */
  readonly needed: string
  /** Those that break consumers first, then the greater step first. */
  readonly changes: readonly Change[]
}

/** One thing that changed. */
export interface Change {
  readonly breaking: boolean
  readonly step: Exclude<Step, 'none'>
  /** What changed, in one sentence. */
  readonly what: string
  /** What it means for consumers, in one sentence. */
  readonly consequence: string
  /** Where, such as `GET /orders` or `components.schemas.Order`. */
  readonly place: string
  /** The announced day of removal of what was removed; set where it must not be removed sooner. */
  readonly sunset?: string | 'never announced'
  /** Set where successes promise more than before, which what is stored may not keep. */
  readonly narrowsAnswers?: true
}
