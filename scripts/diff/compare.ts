import type { Description, Operation, Tag } from '../../server/description/description.ts'
import { DescriptionError } from '../pipeline/failure.ts'
import { shortPath } from '../pipeline/project.ts'
import { isVersion } from '../pipeline/version.ts'
import { readChangedValues } from './changed-values.ts'
import { compareComponents } from './compare-components.ts'
import { OperationComparison } from './compare-operations.ts'
import { changedKeys, compareParts } from './compare-parts.ts'
import { SchemaComparison } from './compare-schemas.ts'
import { compareClientOptions } from './compare-security.ts'
import { compareServers } from './compare-servers.ts'
import { compareSettings } from './compare-settings.ts'
import { compareWebhooks } from './compare-webhooks.ts'
import { openCompared, readAllSchemas, responsesOutside } from './compared-description.ts'
import {
  type AffectedOperation,
  type Bump,
  type Change,
  type ChangedValues,
  type Comparison,
  orderOf,
} from './contract-diff.ts'
import { type Observation, type Places, Recorder } from './recorder.ts'
import { toRefPath } from './released.ts'
import { Pair } from './words.ts'

const bumps: readonly Bump[] = ['none', 'patch', 'minor', 'major']

/** Compares two files of a description by what they mean; `ref` is what the first one was read from. */
export function compareDescriptions(
  base: string,
  current: string,
  ref = shortPath(base),
): Comparison {
  const pair = new Pair(openCompared(base), openCompared(current))
  for (const { sources } of [pair.base, pair.current]) {
    if (isVersion(sources.version)) {
      continue
    }
    const what = `info.version of ${shortPath(sources.file)} is "${sources.version}"`
    const advice = 'write three numbers, such as 1.2.0, there or as version of service.yaml'
    throw new DescriptionError([`${what}; ${advice}`])
  }
  // What only one of them has is compared with nothing; its errors are found here.
  for (const description of [pair.base, pair.current]) {
    readAllSchemas(description)
  }
  const recorder = new Recorder()
  comparePair(pair, recorder, ref)
  return {
    base: { version: pair.base.sources.version, ref },
    current: { version: pair.current.sources.version },
    changes: collectChanges(pair, recorder, ref),
  }
}

function comparePair(pair: Pair, recorder: Recorder, ref: string): void {
  const { base, current } = pair
  const schemas = new SchemaComparison(pair, recorder)
  const operations = new OperationComparison(pair, recorder, schemas)
  operations.compareAll(base.operations, current.operations)
  recorder.compareOnce('the description', () => {
    operations.compareResponses(responsesOutside(base), responsesOutside(current))
    compareWebhooks(pair, recorder, operations, base.webhooks, current.webhooks)
    compareComponents(pair, recorder, schemas, ref)
    compareParts(pair, recorder, base.info, current.info)
    compareParts(pair, recorder, base.root, current.root)
    compareTags(pair, recorder)
  })
  recorder.compareOnce('every operation', () => {
    const at = { base: below(base), current: below(current) }
    compareServers(pair, recorder, base.servers, current.servers, at)
    compareSettings(pair, recorder)
    compareClientOptions(pair, recorder)
  })
}

function below({ root }: Description) {
  return { file: root.at.file, pointer: '#/servers' }
}

function compareTags(pair: Pair, recorder: Recorder): void {
  const before = tagsByName(pair.base)
  const after = tagsByName(pair.current)
  for (const name of new Set([...before.keys(), ...after.keys()])) {
    const tagBefore = before.get(name)
    const tagAfter = after.get(name)
    const at = { base: tagBefore?.at, current: tagAfter?.at }
    if (tagBefore === undefined) {
      recorder.record('tag-changed', { name, state: 'is new' }, at)
    } else if (tagAfter === undefined) {
      recorder.record('tag-changed', { name, state: 'was removed' }, at)
    } else if (isReworded(tagBefore, tagAfter)) {
      recorder.record('tag-changed', { name, state: 'was reworded' }, at)
    }
  }
}

function tagsByName({ tags }: Description): ReadonlyMap<string, Tag> {
  return new Map(tags.map((tag) => [tag.name, tag]))
}

function isReworded(before: Tag, after: Tag): boolean {
  const changes = [
    ...changedKeys(before.texts, after.texts),
    ...changedKeys(before.others, after.others),
  ]
  return changes.length > 0
}

/** A change with the operations that lead to it. */
interface Found {
  readonly observation: Observation
  readonly operations: readonly Operation[]
}

/**
 * Returns each change once: what is sent in several ways counts as in the one that needs the greatest bump,
 * with the operations to which that applies.
 */
function collectChanges(pair: Pair, recorder: Recorder, ref: string): readonly Change[] {
  const foundByKey = new Map<string, Found[]>()
  const collect = (key: string, operations: readonly Operation[]) => {
    for (const observation of recorder.under(key)) {
      const foundBefore = foundByKey.get(observation.key) ?? []
      foundByKey.set(observation.key, [...foundBefore, { observation, operations }])
    }
  }
  const { operations } = pair.current
  const names = new Set(operations.map(({ name }) => name))
  const removed = pair.base.operations.filter(({ name }) => !names.has(name))
  for (const operation of [...operations, ...removed]) {
    collect(operation.name, [operation])
  }
  collect('the description', [])
  collect('every operation', operations)
  return [...foundByKey.values()].map((group) => toChange(pair, group, ref)).toSorted(orderOf)
}

function toChange(pair: Pair, group: readonly Found[], ref: string): Change {
  const weigh = ({ observation }: Found) => bumps.indexOf(observation.bump)
  const greatest = Math.max(...group.map(weigh))
  const weightiest = group.filter((each) => weigh(each) === greatest)
  const [first] = weightiest
  if (first === undefined) {
    throw new Error('a change has at least one observation')
  }
  const { id, bump, what, consequence, places, isRewording } = first.observation
  const affected = new Map(
    weightiest
      .flatMap(({ operations }) => operations)
      .map(({ name, operationId }) => {
        const operation: AffectedOperation =
          operationId === undefined ? { name } : { name, operationId }
        return [name, operation] as const
      }),
  )
  const sunset = group.find(({ observation }) => observation.sunset !== undefined)?.observation
    .sunset
  const isStored = group.some(({ observation }) => observation.narrowsResponses === true)
  const values = valuesAt(pair, places)
  const at = places.current ?? places.base ?? pair.current.root.at
  const { sources } = at === places.current ? pair.current : pair.base
  return {
    id,
    breaking: bump === 'major',
    bump,
    what,
    consequence,
    place: pair.placeOf(places),
    file: toRefPath(at.file, ref),
    line: sources.lineOf(at),
    ...(values !== undefined && { values }),
    operations: [...affected.values()],
    ...(isRewording === true && { isRewording }),
    ...(sunset !== undefined && { sunset }),
    ...(isStored && { narrowsResponses: true as const }),
  }
}

/** Returns the values of a change that is in both descriptions. */
function valuesAt(pair: Pair, { base, current }: Places): ChangedValues | undefined {
  if (base === undefined || current === undefined) {
    return undefined
  }
  const before = { sources: pair.base.sources, at: base }
  return readChangedValues(before, { sources: pair.current.sources, at: current })
}
