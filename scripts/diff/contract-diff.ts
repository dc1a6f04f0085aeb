/** Which part of the version a change increases (semver.org), or none. */
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
  /** The lowest version that the description may carry. */
  readonly needed: string
  /** Breaking changes first, then the greater step first. */
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
  /** The file of that place: of the base, if it was removed; `v1.0.0:spec/openapi.yaml` is one in git. */
  readonly file: string
  readonly line: number
  /** The announced day of removal of what was removed; set where it must not be removed sooner. */
  readonly sunset?: string | 'never announced'
  /** Set where successful responses promise more than before, which stored values may not keep. */
  readonly narrowsResponses?: true
}
