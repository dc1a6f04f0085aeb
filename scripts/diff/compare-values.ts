import { isDeepStrictEqual } from 'node:util'
import type { Fact } from '../../server/description/location.ts'
import type { Emit } from './compare-annotations.ts'
import type { Compared } from './compare-schemas.ts'
import { typesOfBounds, typesOfLimits } from './schema/keywords.ts'
import {
  type BoundName,
  type JsonType,
  jsonTypes,
  type LimitName,
  type Schema,
  valuesOf,
} from './schema/schema.ts'
import { boundStem, isList, limitStem, missingFrom, share, wordsOf } from './schema-changes.ts'
import type { Pair } from './words.ts'

export function compareNull(pair: Pair, compared: Compared, emit: Emit): void {
  const [before, after] = [compared.base, compared.current].map(({ types }) => types.has('null'))
  if (before === after) {
    return
  }
  const { base, current } = compared
  const at = after === true ? { current: current.nullAt } : { base: base.nullAt }
  const stem = after === true ? 'became-nullable' : 'became-not-nullable'
  emit(stem, { subject: pair.nameOf(at) }, at)
}

export function compareTypes(pair: Pair, compared: Compared, emit: Emit): void {
  const { base, current, context } = compared
  const isNew = (type: JsonType, one: Schema, other: Schema) =>
    type !== 'null' && valuesOf(one, type) === undefined && valuesOf(other, type)?.length === 0
  const lost = jsonTypes.filter((type) => isNew(type, base, current))
  const gained = jsonTypes.filter((type) => isNew(type, current, base))
  const isAny = [base, current].some(({ types }) => types.size === jsonTypes.length)
  const isChanged = lost.length + gained.length > 0
  if (context.isBranch !== true && !(isChanged && isAny)) {
    compareNull(pair, compared, emit)
  }
  if (!isChanged) {
    return
  }
  const narrower = gained.length === 0 ? 'type-specialized' : 'type-changed'
  const stem = lost.length === 0 ? 'type-generalized' : narrower
  const at = { base: base.typesAt, current: current.typesAt }
  const facts = { subject: pair.nameOf(at), before: wordsOf(base), after: wordsOf(current) }
  emit(stem, facts, at)
}

export function compareValues(pair: Pair, compared: Compared, emit: Emit): void {
  const { base, current } = compared
  const at = { base: base.valuesAt, current: current.valuesAt }
  const about = { subject: pair.nameOf(at) }
  const rows = jsonTypes.map((type) => ({
    type,
    before: valuesOf(base, type),
    after: valuesOf(current, type),
  }))
  const lost = rows.flatMap(({ before, after }) => (after ? missingFrom(before ?? [], after) : []))
  const newIn = ({ before, after }: (typeof rows)[number]) =>
    before ? missingFrom(after ?? [], before) : []
  const mayGrow = ({ type }: (typeof rows)[number]) =>
    base.isExtensible && base.extensibleTypes.has(type)
  const grown = rows.filter(mayGrow).flatMap(newIn)
  const gained = rows.filter((row) => !mayGrow(row)).flatMap(newIn)
  const isFirst = rows.some(
    ({ type, before, after }) => before === undefined && isList(after, type),
  )
  const isGone = rows.some(({ type, before, after }) => after === undefined && isList(before, type))
  if (lost.length > 0) {
    emit('enum-value-removed', { ...about, values: lost }, at)
  }
  if (grown.length > 0) {
    emit('x-extensible-enum-value-added', { ...about, values: grown }, at)
  }
  if (gained.length > 0) {
    emit('enum-value-added', { ...about, values: gained }, at)
  }
  if (isFirst) {
    const values = [...current.values.values()].flat()
    emit('became-enum', { ...about, values }, at)
  }
  if (isGone) {
    emit('enum-removed', about, at)
  }
  const isMarked = (schema: Schema) => schema.isExtensible && schema.values.size > 0
  if (isMarked(base) === isMarked(current) || base.values.size === 0 || current.values.size === 0) {
    return
  }
  const mark = isMarked(current) ? 'became-extensible-enum' : 'became-final-enum'
  emit(mark, about, at)
}

export function compareBound(pair: Pair, compared: Compared, emit: Emit, name: BoundName): void {
  const { base, current } = compared
  if (!share(compared, typesOfBounds[name])) {
    return
  }
  const [before, after] = [base.bounds.get(name), current.bounds.get(name)]
  if (isDeepStrictEqual(before?.value, after?.value)) {
    return
  }
  const isExclusive = (after ?? before)?.value.isExclusive === true
  const keyword = isExclusive ? `exclusive${name.charAt(0).toUpperCase()}${name.slice(1)}` : name
  const at = pair.between(before?.at, after?.at)
  const facts = {
    subject: pair.nameOf(at),
    keyword,
    before: before?.value.value,
    after: after?.value.value,
  }
  emit(boundStem(name, before, after), facts, at)
}

export function compareLimit(pair: Pair, compared: Compared, emit: Emit, name: LimitName): void {
  const { base, current } = compared
  if (!share(compared, typesOfLimits[name])) {
    return
  }
  const [before = [], after = []] = [base.limits.get(name), current.limits.get(name)]
  const lost = before.filter(({ value }) => !after.some((each) => each.value === value))
  const gained = after.filter(({ value }) => !before.some((each) => each.value === value))
  if (lost.length + gained.length === 0) {
    return
  }
  const show = (facts: readonly Fact<unknown>[]) =>
    facts.length > 1 ? facts.map(({ value }) => value) : facts[0]?.value
  const at = pair.between(lost[0]?.at, gained[0]?.at)
  const facts = { subject: pair.nameOf(at), before: show(lost), after: show(gained) }
  const stem = limitStem(name, facts.before, facts.after)
  emit(stem, facts, at)
}
