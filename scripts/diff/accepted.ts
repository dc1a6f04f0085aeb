import { existsSync } from 'node:fs'
import { diff as diffTexts } from 'node:util'
import { isObject } from '../../server/description/json.ts'
import { toChild } from '../../server/description/pointer.ts'
import { DescriptionError } from '../pipeline/failure.ts'
import { SourceFile } from '../pipeline/source-file.ts'
import type { AcceptedChange, Change } from './contract-diff.ts'
import { isRuleId, type RuleId, rules } from './rules/index.ts'

/** An entry of the file that says which changes are none for consumers. */
interface Acceptance {
  /** `file:line:column` of the entry. */
  readonly location: string
  readonly id: RuleId
  readonly place: string
  readonly reason: string
  /** A part of the sentence on the change, where several have the same ID and place. */
  readonly what: string | undefined
  /** The last day on which it holds, such as `2027-01-31`. */
  readonly until: string | undefined
}

/** What is let pass, and what is wrong with the file that says so. */
interface AcceptedChanges {
  readonly accepted: readonly AcceptedChange[]
  readonly errors: readonly string[]
}

const keys = ['id', 'place', 'reason', 'what', 'until']

/** Reads `accepted-changes.yaml`, of which each entry lets a change pass; throws where an entry is wrong. */
export function readAcceptances(file: string): readonly Acceptance[] {
  if (!existsSync(file)) {
    return []
  }
  const source = new SourceFile(file)
  const entries = source.value ?? []
  if (!Array.isArray(entries)) {
    throw new DescriptionError([
      `${source.locationOf('#')} is no list of entries with id, place and reason`,
    ])
  }
  const read = entries.map((entry: unknown, index) => readEntry(source, entry, `#/${index}`))
  const errors = read.flatMap((each) => (typeof each === 'string' ? [each] : []))
  if (errors.length > 0) {
    throw new DescriptionError(errors)
  }
  return read.filter((each) => typeof each !== 'string')
}

/** Returns an entry, or what is wrong with it, with its location. */
function readEntry(source: SourceFile, entry: unknown, pointer: string): Acceptance | string {
  const location = source.locationOf(pointer)
  if (!isObject(entry)) {
    return `${location} is no entry with id, place and reason`
  }
  const unknown = Object.keys(entry).find((key) => !keys.includes(key))
  if (unknown !== undefined) {
    return `${source.locationOf(toChild(pointer, unknown))} has the unknown key ${unknown}; there are ${keys.join(', ')}`
  }
  const { id, place, reason, what, until } = entry
  const missing = ['id', 'place', 'reason'].find((key) => !isText(entry[key]))
  if (!isText(id) || !isText(place) || !isText(reason)) {
    return `${location} has no ${missing}; write one`
  }
  if (!isRuleId(id)) {
    return `${source.locationOf(toChild(pointer, 'id'))} there is no rule ${id}; did you mean ${nearestId(id)}?`
  }
  if (until !== undefined && !isDay(until)) {
    return `${source.locationOf(toChild(pointer, 'until'))} until is no day, such as 2027-01-31`
  }
  return {
    location,
    id,
    place,
    reason,
    what: isText(what) ? what : undefined,
    until: isDay(until) ? until : undefined,
  }
}

/** Returns the changes that are accepted today, and an error for each entry that accepts none. */
export function acceptChanges(
  changes: readonly Change[],
  acceptances: readonly Acceptance[],
  today: Date,
): AcceptedChanges {
  const errors = findExpired(acceptances, today)
  const accepted = new Map<Change, AcceptedChange>()
  for (const acceptance of acceptances) {
    if (isExpired(acceptance, today)) {
      continue
    }
    const { location, id, place, what = '', reason } = acceptance
    const acceptedChanges = changes.filter((change) => {
      return change.id === id && change.place === place && change.what.includes(what)
    })
    if (acceptedChanges.length === 0) {
      errors.push(`${location} ${describeUnused(acceptance, changes)}`)
    }
    for (const change of acceptedChanges) {
      accepted.set(change, { ...change, reason })
    }
  }
  return { accepted: [...accepted.values()], errors }
}

/** Returns an error for each entry whose day is over. */
export function findExpired(acceptances: readonly Acceptance[], today: Date): string[] {
  return acceptances
    .filter((acceptance) => isExpired(acceptance, today))
    .map(({ location, until }) => {
      return `${location} what this entry accepts held until ${until}; remove it, or give it a later day`
    })
}

function isExpired({ until }: Acceptance, today: Date): boolean {
  return until !== undefined && until < today.toISOString().slice(0, 10)
}

function describeUnused({ id, place, what }: Acceptance, changes: readonly Change[]): string {
  const placesOfId = new Set(changes.filter((each) => each.id === id).map((each) => each.place))
  const idsAtPlace = new Set(changes.filter((each) => each.place === place).map((each) => each.id))
  const none = `there is no change ${id} at ${place}${what === undefined ? '' : ` that says "${what}"`}`
  if (placesOfId.size > 0 && !placesOfId.has(place)) {
    return `${none}, but at ${[...placesOfId].join(', ')}`
  }
  if (idsAtPlace.size > 0 && !idsAtPlace.has(id)) {
    return `${none}, but ${[...idsAtPlace].join(', ')}`
  }
  return `${none}; remove this entry`
}

function nearestId(id: string): string {
  const distance = (other: string) => diffTexts(id, other).filter(([kind]) => kind !== 0).length
  const [nearest = ''] = Object.keys(rules).toSorted(
    (one, other) => distance(one) - distance(other),
  )
  return nearest
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== ''
}

function isDay(value: unknown): value is string {
  return (
    typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value))
  )
}
