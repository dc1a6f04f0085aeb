import { basename } from 'node:path'
import { platformName } from '../lint/platform-file.ts'
import type { RecordedRequests } from './requests.ts'
import type { RuleId } from './rules/index.ts'
import type { Caller, UsagePeriod } from './usage.ts'

/** Which part of the version a change increases (semver.org), or none. */
export type Bump = 'none' | 'patch' | 'minor' | 'major'

const bumps: readonly Bump[] = ['none', 'patch', 'minor', 'major']

/** Two descriptions and what has changed between them. */
export interface Comparison {
  readonly base: {
    readonly version: string
    /** What it was read from, such as a tag of git or a file. */
    readonly ref: string
  }
  readonly current: { readonly version: string }
  /** In the order of what is to be done: breaking changes first. */
  readonly changes: readonly Change[]
}

/** The changes of a contract, with what they mean for its version and its consumers. */
export interface ContractDiff extends Comparison {
  /** The greatest bump that any of the changes, or a note of the changelog, needs. */
  readonly bump: Bump
  /** The lowest version that the description may carry. */
  readonly needed: string
  /** The changes that `spec/accepted-changes.yaml` lets pass; they are none of `changes`. */
  readonly accepted: readonly AcceptedChange[]
  /** A heading of the changelog with the word breaking. */
  readonly breakingNote?: string
  /** Set where it is known which keys have called which operations. */
  readonly usage?: UsagePeriod
  /** Set where recorded requests were sent to both descriptions; an item for each recording. */
  readonly requests?: readonly RecordedRequests[]
}

/** One thing that changed. */
export interface Change {
  /** The rule that it falls under, such as `request-parameter-became-required`. */
  readonly id: RuleId
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
  /** What is written there, and what was; set where both are short and differ. */
  readonly values?: ChangedValues
  /** The operations for which it means that; none where it concerns no operation. */
  readonly operations: readonly AffectedOperation[]
  /** Set where only what people read has changed. */
  readonly isRewording?: true
  /** The announced day of removal of what was removed; set where it must not be removed sooner. */
  readonly sunset?: string | 'never announced'
  /** Set where successful responses promise more than before, which stored values may not keep. */
  readonly narrowsResponses?: true
  /** The keys that have called the operations of a breaking change, if that is known. */
  readonly callers?: readonly Caller[]
}

/** A value before and after a change, as YAML. */
export interface ChangedValues {
  readonly before: string
  readonly after: string
}

export interface AffectedOperation {
  /** Such as `GET /orders`. */
  readonly name: string
  readonly operationId?: string
}

/** A change that is accepted as none for consumers. */
export interface AcceptedChange extends Change {
  readonly reason: string
}

/** Returns what changes mean for the version: that of the greatest bump. */
export function assess(
  comparison: Comparison,
  accepted: readonly AcceptedChange[] = [],
  breakingNote?: string,
): ContractDiff {
  const passed = new Set(accepted.map(toChangeKey))
  const changes = comparison.changes.filter((change) => !passed.has(toChangeKey(change)))
  // What is accepted is no other contract for consumers, but another description.
  const least = accepted.length > 0 ? ['patch' as const] : []
  const noted = breakingNote === undefined ? [] : ['major' as const]
  const counted = countedChanges(changes).map((change) => change.bump)
  const bump = greatestOf([...counted, ...least, ...noted])
  const needed = bumpVersion(comparison.base.version, bump)
  const note = breakingNote === undefined ? {} : { breakingNote }
  return { ...comparison, changes, bump, needed, accepted, ...note }
}

/** Returns the changes that count for the version of the API: all but reworded texts of the platform. */
export function countedChanges(changes: readonly Change[]): readonly Change[] {
  return changes.filter((change) => !isRewordingOfPlatform(change))
}

/** Returns whether the platform says something in other words: an API takes them with its next version. */
export function isRewordingOfPlatform({ isRewording, file }: Change): boolean {
  return isRewording === true && basename(file) === platformName
}

function greatestOf(needed: readonly Bump[]): Bump {
  return bumps.findLast((bump) => needed.includes(bump)) ?? 'none'
}

/** Returns the changes of the contract, and those of what people read alone: of the API, and of the platform. */
export function splitRewordings(changes: readonly Change[]) {
  const reworded = changes.filter(({ isRewording }) => isRewording === true)
  return {
    changes: changes.filter(({ isRewording }) => isRewording !== true),
    rewordings: countedChanges(reworded),
    platformRewordings: reworded.filter(isRewordingOfPlatform),
  }
}

/** Returns what tells a change from all others of its comparison. */
export function toChangeKey({ id, place, what }: Change): string {
  return `${id} ${place} ${what}`
}

/** Compares changes by what is to be done: code of consumers, then stored values, then the rest. */
export function orderOf(one: Change, other: Change): number {
  return weightOf(other) - weightOf(one)
}

function weightOf({ bump, narrowsResponses, isRewording }: Change): number {
  const isStored = narrowsResponses === true ? 1 : 0
  return bumps.indexOf(bump) * 4 + isStored - (isRewording === true ? 1 : 0)
}

/** Compares two versions: below 0 if the first is lower, 0 if they are the same. */
export function compareVersions(one: string, other: string): number {
  return one.localeCompare(other, 'en', { numeric: true })
}

/** Returns the version that follows another. */
export function bumpVersion(version: string, bump: Bump): string {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number)
  if (bump === 'major') {
    return `${major + 1}.0.0`
  }
  if (bump === 'minor') {
    return `${major}.${minor + 1}.0`
  }
  return bump === 'patch' ? `${major}.${minor}.${patch + 1}` : version
}
