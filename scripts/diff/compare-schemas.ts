import { compareAnnotations, type Emit } from './compare-annotations.ts'
import { compareContains } from './compare-contains.ts'
import { compareDependentRequired } from './compare-dependent-required.ts'
import { compareDiscriminators } from './compare-discriminators.ts'
import {
  compareBound,
  compareLimit,
  compareNull,
  compareTypes,
  compareValues,
} from './compare-values.ts'
import type { Places, Recorder } from './recorder.ts'
import { applyRule, type FactsOf, type RuleId } from './rules/index.ts'
import type { SchemaFacts, SchemaRuleId, SchemaStem } from './rules/schemas.ts'
import { type Slot, wayOf } from './rules/slots.ts'
import { haveSameBranches, isSameCondition, patternsOf } from './same-meaning.ts'
import { matches } from './schema/part-keywords.ts'
import {
  type Alternatives,
  boundNames,
  type Condition,
  isNever,
  jsonTypes,
  type Later,
  limitNames,
  type Member,
  type Schema,
} from './schema/schema.ts'
import {
  holderOf,
  isOfOne,
  isSameLater,
  isSent,
  listIf,
  lostPropertyRules,
  matchBranches,
  nameOfBranch,
  newPropertyRules,
  othersOf,
  pairDifferent,
  requiredIn,
  share,
  toInside,
  unsent,
  wholeGroup,
} from './schema-changes.ts'
import type { Pair } from './words.ts'

/** How a schema is sent, and what it is part of. */
export interface Context {
  readonly slot: Slot
  /**
   * Inside of `not` and `if` more values may mean fewer. What nothing refers to is not sent, nor is what
   * is readOnly in requests, or writeOnly in responses.
   */
  readonly mode?: 'not' | 'if' | 'unused' | 'unsent'
  /** Whether it is one of several alternatives, which have been asked for `null` together. */
  readonly isBranch?: boolean
}

/** Two schemas, and how they are sent. */
export interface Compared {
  readonly base: Schema
  readonly current: Schema
  readonly context: Context
}

/** Compares schemas in the ways in which they are sent. */
export class SchemaComparison {
  readonly #pair: Pair
  readonly #recorder: Recorder

  constructor(pair: Pair, recorder: Recorder) {
    this.#pair = pair
    this.#recorder = recorder
  }

  compare(base: Schema, current: Schema, context: Context): void {
    const { slot, mode = '', isBranch = false } = context
    const key = `${base.id} ${current.id} ${slot} ${mode} ${isBranch}`
    this.#recorder.compareOnce(key, () => this.#compareNow({ base, current, context }))
  }

  #compareNow(compared: Compared): void {
    const { base, current, context } = compared
    if (isNever(base) || isNever(current)) {
      if (isNever(base) === isNever(current)) {
        return
      }
      if (base.values.size > 0) {
        compareValues(this.#pair, compared, this.#emitter(compared))
        return
      }
      const stem = isNever(base) ? 'became-allowed' : 'became-forbidden'
      const at = isNever(base) ? { current: current.at } : this.#pair.between(base.at, undefined)
      this.#emit(compared, stem, { subject: this.#pair.nameOf(at) }, at)
      return
    }
    const emit = this.#emitter(compared)
    compareAnnotations(this.#pair, this.#recorder, base, current, emit)
    const isWhole = this.#compareWholes(compared)
    if (isWhole) {
      if (context.isBranch !== true) {
        compareNull(this.#pair, compared, emit)
      }
      return
    }
    compareTypes(this.#pair, compared, emit)
    compareValues(this.#pair, compared, emit)
    for (const name of boundNames) {
      compareBound(this.#pair, compared, emit, name)
    }
    for (const name of limitNames) {
      compareLimit(this.#pair, compared, emit, name)
    }
    this.#compareObjects(compared)
    this.#compareArrays(compared)
    this.#compareGroups(compared)
    this.#compareInner(compared)
    compareDiscriminators(this.#pair, this.#recorder, compared, this.#emitter(compared))
  }

  #emitter(compared: Compared): Emit {
    return (stem, facts, at) => this.#emit(compared, stem, facts, at)
  }

  #named(at: Places) {
    return { subject: this.#pair.nameOf(at) }
  }

  #about({ base, current }: Compared) {
    return { subject: this.#pair.nameOf({ base: base.at, current: current.at }) }
  }

  /** Records a change by the rule for what the schema is of. */
  #emit<Stem extends SchemaStem>(
    compared: Compared,
    stem: Stem,
    facts: SchemaFacts<Stem>,
    at: Places = { base: compared.base.at, current: compared.current.at },
  ): void {
    // Each ID that ends in a stem takes the facts of that stem.
    const id = `${compared.context.slot}-${stem}` as SchemaRuleId
    this.#record(compared, id, facts as FactsOf<typeof id>, at)
  }

  #record<Id extends RuleId>(
    { context }: Compared,
    id: Id,
    facts: FactsOf<Id>,
    at: Places,
    sunset?: string,
  ): void {
    const { slot, mode } = context
    const { what: detail } = applyRule(id, facts)
    if (mode === undefined) {
      this.#recorder.record(id, facts, at, sunset)
    } else if (mode === 'unsent') {
      this.#recorder.record('unsent-property-changed', { detail }, at)
    } else if (mode === 'unused') {
      const subject = this.#pair.nameOf(at)
      this.#recorder.record('unused-component-changed', { subject, detail }, at)
    } else {
      const inner: `${Slot}-not-changed` | `${Slot}-if-changed` = `${slot}-${mode}-changed`
      this.#recorder.record(inner, { detail }, at)
    }
  }

  #compareObjects(compared: Compared): void {
    const { base, current, context } = compared
    if (!share(compared, ['object'])) {
      return
    }
    const way = wayOf(context.slot)
    const inside: Context = { ...toInside(context), slot: `${way}-property` }
    for (const [name, member] of current.properties) {
      const before = base.properties.get(name)
      if (before === undefined) {
        this.#compareNewProperty(compared, name, member, inside)
      } else {
        const schemaBefore = before.schema()
        const schema = member.schema()
        const areSent = isSent(schemaBefore, way) || isSent(schema, way)
        this.compare(schemaBefore, schema, areSent ? inside : unsent(inside))
      }
    }
    for (const [name, member] of base.properties) {
      if (!current.properties.has(name)) {
        this.#compareLostProperty(compared, name, member, inside)
      }
    }
    this.#compareRequired(compared)
    this.#compareOtherProperties(compared, inside)
    this.#compareNamed(compared, inside)
  }

  #compareNewProperty(
    compared: Compared,
    name: string,
    { at, schema }: Member,
    inside: Context,
  ): void {
    const { base, current, context } = compared
    const unlisted = base.additional()
    const isOfPattern = [...base.patternProperties.keys()].some((pattern) => matches(pattern, name))
    // An unlisted property could have any value, no value, or those of a schema, which limited this property.
    const wasAnything = unlisted.types.size === jsonTypes.length
    const wasLimited = !isNever(unlisted) && !wasAnything && !isOfPattern
    if (isNever(schema()) || wasLimited) {
      this.compare(unlisted, schema(), inside)
      if (isNever(schema())) {
        return
      }
    }
    const way = wayOf(context.slot)
    const isRequired = requiredIn(current, name, way)
    const id = newPropertyRules[way][isRequired ? 'required' : 'optional']
    const facts = { subject: this.#pair.nameOf({ current: at }) }
    const seen = isSent(schema(), way) ? compared : { ...compared, context: unsent(context) }
    this.#record(seen, id, facts, { base: base.at, current: at })
  }

  #compareLostProperty(
    compared: Compared,
    name: string,
    { at, schema }: Member,
    inside: Context,
  ): void {
    const { base, current, context } = compared
    if (isNever(schema())) {
      this.compare(schema(), current.additional(), inside)
      return
    }
    const way = wayOf(context.slot)
    const isRequired = requiredIn(base, name, way)
    const id = lostPropertyRules[way][isRequired ? 'required' : 'optional']
    const facts = { subject: this.#pair.nameOf({ base: at }) }
    const seen = isSent(schema(), way) ? compared : { ...compared, context: unsent(context) }
    this.#record(seen, id, facts, { base: at }, schema().sunset?.value)
  }

  #compareRequired(compared: Compared): void {
    const { base, current, context } = compared
    const way = wayOf(context.slot)
    const names = new Set([...base.required.keys(), ...current.required.keys()])
    for (const name of names) {
      const [before, after] = [requiredIn(base, name, way), requiredIn(current, name, way)]
      const isNewOrLost = base.properties.has(name) !== current.properties.has(name)
      // What became readOnly or writeOnly is another change, but requests that omit it are rejected.
      const isStated = base.required.has(name) !== current.required.has(name)
      const isDemanded = way === 'request' && after
      if (before === after || isNewOrLost || !(isStated || isDemanded)) {
        continue
      }
      const id = after
        ? (`${way}-property-became-required` as const)
        : (`${way}-property-became-optional` as const)
      const at = this.#pair.between(base.required.get(name), current.required.get(name))
      this.#record(compared, id, { subject: this.#pair.nameOf(at), name }, at)
    }
  }

  /** Compares what is said of properties that are not listed. */
  #compareOtherProperties(compared: Compared, inside: Context): void {
    const { base, current } = compared
    const [before, after] = [othersOf(base), othersOf(current)]
    if (isNever(before) !== isNever(after)) {
      const stem = isNever(after) ? 'additional-properties-removed' : 'additional-properties-added'
      this.#emit(compared, stem, this.#about(compared))
    } else {
      this.compare(before, after, inside)
    }
    this.#comparePatterns(compared, before, after, inside)
  }

  /** Compares what is said of properties whose names match a pattern; without the pattern they are others. */
  #comparePatterns(compared: Compared, before: Schema, after: Schema, inside: Context): void {
    const { base, current } = compared
    for (const [pattern, member] of base.patternProperties) {
      const memberAfter = current.patternProperties.get(pattern)
      if (memberAfter !== undefined) {
        this.compare(member.schema(), memberAfter.schema(), inside)
      }
    }
    const [beforePatterns, afterPatterns] = [patternsOf(base), patternsOf(current)]
    for (const [pattern, member] of afterPatterns) {
      if (base.patternProperties.has(pattern)) {
        continue
      }
      if (before.types.size < jsonTypes.length) {
        this.compare(before, member.schema(), inside)
      } else {
        const at = { current: member.at }
        this.#emit(compared, 'pattern-property-added', this.#named(holderOf(at)), at)
      }
    }
    for (const [pattern, member] of beforePatterns) {
      if (current.patternProperties.has(pattern)) {
        continue
      }
      if (after.types.size < jsonTypes.length) {
        this.compare(member.schema(), after, inside)
      } else {
        const at = this.#pair.between(member.at, undefined)
        this.#emit(compared, 'pattern-property-removed', this.#named(holderOf(at)), at)
      }
    }
  }

  /** Compares what depends on the names of properties. */
  #compareNamed(compared: Compared, inside: Context): void {
    const { base, current } = compared
    this.#compareLists(
      compared,
      base.propertyNames,
      current.propertyNames,
      'property-names',
      inside,
    )
    compareDependentRequired(this.#pair, compared, this.#emitter(compared))
    this.#compareDependentSchemas(compared)
  }

  #compareDependentSchemas(compared: Compared): void {
    const { base, current } = compared
    for (const [name, member] of current.dependentSchemas) {
      const before = base.dependentSchemas.get(name)
      if (before !== undefined) {
        this.compare(before.schema(), member.schema(), compared.context)
      } else {
        this.#emit(compared, 'dependent-schema-added', this.#named({ current: member.at }), {
          current: member.at,
        })
      }
    }
    for (const [name, member] of base.dependentSchemas) {
      if (current.dependentSchemas.has(name)) {
        continue
      }
      const at = this.#pair.between(member.at, undefined)
      this.#emit(compared, 'dependent-schema-removed', this.#named(at), at)
    }
  }

  #compareArrays(compared: Compared): void {
    const { base, current, context } = compared
    if (!share(compared, ['array'])) {
      return
    }
    const inside: Context = { ...toInside(context), slot: `${wayOf(context.slot)}-property` }
    const count = Math.max(base.positions.length, current.positions.length)
    for (let index = 0; index < count; index += 1) {
      const before = base.positions[index] ?? base.items
      this.compare(before(), (current.positions[index] ?? current.items)(), inside)
    }
    this.compare(base.items(), current.items(), inside)
    if ((base.uniqueItems === undefined) !== (current.uniqueItems === undefined)) {
      const stem = current.uniqueItems === undefined ? 'unique-items-removed' : 'unique-items-added'
      const at = this.#pair.between(base.uniqueItems, current.uniqueItems)
      this.#emit(compared, stem, this.#named(at), at)
    }
    compareContains(this.#pair, compared, this.#emitter(compared))
  }

  /** Compares schemas of which one at least is nothing but alternatives; returns whether that is so. */
  #compareWholes(compared: Compared): boolean {
    const { base, current } = compared
    const [before, after] = [wholeGroup(base), wholeGroup(current)]
    const group = after ?? before
    if (group === undefined) {
      return false
    }
    const toGroup = (schema: Schema): Alternatives => {
      return { ...group, at: schema.at, branches: [() => schema] }
    }
    const isMatched = this.#compareGroup(
      compared,
      before ?? toGroup(base),
      after ?? toGroup(current),
    )
    if (isMatched) {
      compareDiscriminators(this.#pair, this.#recorder, compared, this.#emitter(compared))
    }
    return true
  }

  #compareGroups(compared: Compared): void {
    const { base, current } = compared
    for (const [before, after] of pairDifferent(
      base.alternatives,
      current.alternatives,
      haveSameBranches,
    )) {
      const at = this.#pair.between(before?.at, after?.at)
      if (before === undefined) {
        const about = { ...this.#named(at), keyword: after?.keyword }
        this.#emit(compared, 'alternatives-added', about, at)
      } else if (after === undefined) {
        this.#emit(
          compared,
          'alternatives-removed',
          { ...this.#named(at), keyword: before.keyword },
          at,
        )
      } else {
        this.#compareGroup(compared, before, after)
      }
    }
  }

  #compareGroup(compared: Compared, before: Alternatives, after: Alternatives): boolean {
    const { context } = compared
    const isOne = isOfOne(before) || isOfOne(after)
    const [beforeKind, afterKind] = [before.kind(), after.kind()]
    const at = { base: before.at, current: after.at }
    if (beforeKind !== afterKind && !isOne) {
      const stem = afterKind === 'anyOf' ? 'one-of-generalized' : 'one-of-specialized'
      this.#emit(compared, stem, this.#named(at), at)
    }
    const { pairs, lost, gained } = matchBranches(before.branches, after.branches)
    const branch: Context = { ...context, isBranch: true }
    for (const [branchBefore, branchAfter] of pairs) {
      this.compare(branchBefore, branchAfter, branch)
    }
    const about = { ...this.#named(at), keyword: (isOfOne(after) ? before : after).keyword }
    if (pairs.length === 0) {
      this.#emit(compared, 'alternatives-changed', about, at)
      return false
    }
    const stem = afterKind === 'anyOf' || isOne ? 'any-of' : 'one-of'
    for (const name of lost.map(nameOfBranch)) {
      this.#emit(compared, `${stem}-removed`, { ...about, name }, at)
    }
    for (const name of gained.map(nameOfBranch)) {
      this.#emit(compared, `${stem}-added`, { ...about, name }, at)
    }
    return true
  }

  /** Compares schemas that apply in a place of their own: `not`, `if` and what is left of `unevaluated…`. */
  #compareInner(compared: Compared): void {
    const { base, current, context } = compared
    const inside = toInside(context)
    const inverse = (mode: 'not' | 'if'): Context => ({ ...inside, mode: context.mode ?? mode })
    this.#compareLists(compared, base.not, current.not, 'not', inverse('not'))
    for (const [before, after] of pairDifferent(
      base.conditions,
      current.conditions,
      isSameCondition,
    )) {
      this.#compareLists(compared, listIf(before), listIf(after), 'if', inverse('if'))
      if (before !== undefined && after !== undefined) {
        this.#compareResults(compared, before, after, inverse('if'))
      }
    }
    const property: Context = { ...inside, slot: `${wayOf(context.slot)}-property` }
    const { unevaluatedItems } = base
    this.#compareLists(
      compared,
      unevaluatedItems,
      current.unevaluatedItems,
      'unevaluated-items',
      property,
    )
  }

  /** Compares what follows from a condition. */
  #compareResults(compared: Compared, before: Condition, after: Condition, inside: Context): void {
    for (const key of ['then', 'else'] as const) {
      const resultBefore = before[key]
      const result = after[key]
      if (resultBefore !== undefined && result !== undefined) {
        this.compare(resultBefore(), result(), inside)
      } else if (resultBefore !== result) {
        const { subject } = this.#about(compared)
        const state = result === undefined ? 'was removed' : 'is new'
        const detail = `\`${key}\` of ${subject} ${state}`
        this.#emit(compared, 'if-changed', { detail }, { base: before.at, current: after.at })
      }
    }
  }

  #compareLists(
    compared: Compared,
    before: readonly Later[],
    after: readonly Later[],
    keyword: 'not' | 'if' | 'property-names' | 'unevaluated-items',
    inside: Context,
  ): void {
    for (const [readBefore, readAfter] of pairDifferent(before, after, isSameLater)) {
      const schemaBefore = readBefore?.()
      const schema = readAfter?.()
      const at = this.#pair.between(schemaBefore?.at, schema?.at)
      if (schemaBefore === undefined) {
        this.#emit(compared, `${keyword}-added`, this.#about(compared), at)
      } else if (schema === undefined) {
        this.#emit(compared, `${keyword}-removed`, this.#about(compared), at)
      } else {
        this.compare(schemaBefore, schema, inside)
      }
    }
  }
}
