import { isDeepStrictEqual } from 'node:util'
import { toSortedJson } from '../../server/description/json.ts'
import type { Fact } from '../../server/description/location.ts'
import type { Places, Recorder } from './recorder.ts'
import type { SchemaFacts, SchemaStem } from './rules/schemas.ts'
import type { Schema } from './schema/schema.ts'
import type { Pair } from './words.ts'

/** Records a change by the rule for what its schema is of. */
export type Emit = <Stem extends SchemaStem>(
  stem: Stem,
  facts: SchemaFacts<Stem>,
  at: Places,
) => void

/** Compares what two schemas say of values without ruling any out. */
export function compareAnnotations(
  pair: Pair,
  recorder: Recorder,
  base: Schema,
  current: Schema,
  emit: Emit,
): void {
  compareDefaults(pair, base, current, emit)
  compareFlags(pair, base, current, emit)
  compareSunsets(pair, base, current, emit)

  for (const keyword of new Set([...base.texts.keys(), ...current.texts.keys()])) {
    const [before, after] = [base.texts.get(keyword), current.texts.get(keyword)]
    if (isSameSet(before, after)) {
      continue
    }
    const at = factsAt(pair, before, after)
    recorder.record('text-reworded', { subject: describe(pair, at), keyword }, at)
  }
  if (!isSameSet(base.examples, current.examples)) {
    const at = factsAt(pair, base.examples, current.examples)
    recorder.record('example-changed', { subject: describe(pair, at) }, at)
  }
  for (const keyword of new Set([...base.others.keys(), ...current.others.keys()])) {
    const [before, after] = [base.others.get(keyword), current.others.get(keyword)]
    if (isSameSet(before, after)) {
      continue
    }
    const at = factsAt(pair, before, after)
    const facts = {
      keyword,
      subject: pair.nameOf(at),
      before: before?.[0]?.value,
      after: after?.[0]?.value,
    }
    const id = keyword.startsWith('x-') ? 'extension-changed' : 'unknown-keyword-changed'
    recorder.record(id, facts, at)
  }
}

function compareDefaults(pair: Pair, base: Schema, current: Schema, emit: Emit): void {
  const [before, after] = [base.default, current.default]
  if (isDeepStrictEqual(before?.value, after?.value)) {
    return
  }
  const changed = after === undefined ? 'default-value-removed' : 'default-value-changed'
  const stem = before === undefined ? 'default-value-added' : changed
  const at = pair.between(before?.at, after?.at)
  const subject = pair.nameOf(at)
  emit(stem, { subject, before: before?.value, after: after?.value }, at)
}

function compareFlags(pair: Pair, base: Schema, current: Schema, emit: Emit): void {
  const flags = [
    [base.readOnly, current.readOnly, 'became-read-only', 'became-not-read-only'],
    [base.writeOnly, current.writeOnly, 'became-write-only', 'became-not-write-only'],
    [base.deprecated, current.deprecated, 'deprecated', 'reactivated'],
  ] as const
  for (const [before, after, on, off] of flags) {
    if ((before === undefined) === (after === undefined)) {
      continue
    }
    const at = pair.between(before, after)
    emit(after === undefined ? off : on, { subject: pair.nameOf(at) }, at)
  }
}

function compareSunsets(pair: Pair, base: Schema, current: Schema, emit: Emit): void {
  const [before, after] = [base.sunset?.value, current.sunset?.value]
  if (before === after) {
    return
  }
  const at = pair.between(base.sunset?.at, current.sunset?.at)
  emit(sunsetStem(before, after), { subject: pair.nameOf(at), before, after }, at)
}

/** Returns the rule for another day of removal. Days are written so that their order is that of their text. */
export function sunsetStem(before: string | undefined, after: string | undefined) {
  if (before === undefined) {
    return 'sunset-date-added'
  }
  if (after === undefined) {
    return 'sunset-deleted'
  }
  return after < before ? 'sunset-date-changed-too-small' : 'sunset-date-postponed'
}

/** Returns the words for what has a text; what is said of the schema of a parameter is not said of the parameter. */
function describe(pair: Pair, at: Places): string {
  const name = pair.nameOf(at)
  const { pointer = '' } = at.current ?? at.base ?? {}
  const isOfSchema = /(?<!\/properties)\/schema\/[^/]+$/.test(pointer)
  return isOfSchema ? `the schema of ${name}` : name
}

function isSameSet(
  before: readonly Fact<unknown>[] = [],
  after: readonly Fact<unknown>[] = [],
): boolean {
  const toSet = (facts: readonly Fact<unknown>[]) => {
    return new Set(facts.map(({ value }) => toSortedJson(value)))
  }
  return isDeepStrictEqual(toSet(before), toSet(after))
}

/** Returns where the first fact is that only one of two lists has. */
function factsAt(
  pair: Pair,
  before: readonly Fact<unknown>[] = [],
  after: readonly Fact<unknown>[] = [],
): Places {
  const find = (facts: readonly Fact<unknown>[], otherFacts: readonly Fact<unknown>[]) =>
    facts.find(({ value }) => !otherFacts.some((each) => isDeepStrictEqual(each.value, value)))?.at
  return pair.between(find(before, after) ?? before[0]?.at, find(after, before) ?? after[0]?.at)
}
