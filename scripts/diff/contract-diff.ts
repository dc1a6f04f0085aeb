/** Which part of the version a change increases (semver.org), or none. */
export type Bump = 'none' | 'patch' | 'minor' | 'major'

/** The changes of a contract, with what they mean for its version and its consumers. */
export interface ContractDiff {
  /** The greatest bump that any of the changes needs. */
  readonly bump: Bump
  readonly base: {
    readonly version: string
    /** What it was read from, such as a tag of git or a file. */
    readonly ref: string
  }
  readonly current: { readonly version: string }
  /** The lowest version that the description may carry. */
  readonly needed: string
  /** Breaking changes first, then the greater bump first. */
  readonly changes: readonly Change[]
}

/** One thing that changed. */
export interface Change {
  readonly breaking: boolean
  readonly bump: Exclude<Bump, 'none'>
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

/** Returns whether a text is a version of semver.org with nothing behind its three numbers. */
export function isVersion(text: string): boolean {
  return /^(?:0|[1-9]\d*)(?:\.(?:0|[1-9]\d*)){2}$/.test(text)
}

/** Compares two versions: below 0 if the first is lower, 0 if they are the same. */
export function compareVersions(one: string, other: string): number {
  return one.localeCompare(other, 'en', { numeric: true })
}

/** Returns the version that follows another. */
export function bumpVersion(version: string, bump: Bump): string {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number)
  if (bump === 'major') return `${major + 1}.0.0`
  if (bump === 'minor') return `${major}.${minor + 1}.0`
  return bump === 'patch' ? `${major}.${minor}.${patch + 1}` : version
}
