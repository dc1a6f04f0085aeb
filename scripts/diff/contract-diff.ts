/** How far a version moves (Semantic Versioning 2.0.0). */
export type VersionStep = 'none' | 'patch' | 'minor' | 'major'

/** One difference between two contracts. */
export interface Change {
  readonly breaking: boolean
  readonly step: Exclude<VersionStep, 'none'>
  /** What changed, in a sentence. */
  readonly what: string
  /** What it means for consumers, in a sentence. */
  readonly consequence: string
  /** Where, such as `GET /things` or `components.schemas.Thing`. */
  readonly place: string
}

/** What changed from a released contract to the current one. */
export interface ContractDiff {
  readonly step: VersionStep
  readonly base: { readonly version: string; readonly ref: string }
  readonly current: { readonly version: string }
  /** The version that the current contract should carry. */
  readonly needed: string
  /** Breaking ones first. */
  readonly changes: readonly Change[]
}
