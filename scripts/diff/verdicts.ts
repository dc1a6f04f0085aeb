import { isDeepStrictEqual } from 'node:util'
import { isObject, pointerKeys, toObject } from '../pipeline/description.ts'
import type { Direction } from '../pipeline/sources.ts'
import type { Change } from './contract-diff.ts'
import type { Relocation } from './relocations.ts'
import { type Row, verdicts } from './verdict-table.ts'

/** One difference between two descriptions, with what must be known to judge it. */
export interface Difference {
  readonly kind: 'added' | 'removed' | 'modified'
  /** The type of the node, such as `Operation` or `Schema`. */
  readonly typeName: string
  /** Which key of the node was modified. */
  readonly property: string
  /** The node, in the description where it still, or already, is. */
  readonly pointer: string
  /** The node, in words. */
  readonly subject: string
  /** The property if the node was modified, else the node. */
  readonly before: unknown
  readonly after: unknown
  /** Which ways it is sent, in either description. */
  readonly directions: ReadonlySet<Direction>
  /** The verdict of Redocly's rules, and their messages. */
  readonly impact: Change['bump']
  readonly messages: readonly string[]
  /** Where a component that was added or removed is in the other description. */
  readonly relocation: Relocation | undefined
}

/** The effect of a difference on a schema: it allows fewer values than before, more, or others. */
type Effect = 'same' | 'narrower' | 'wider' | 'other'

const lowerBound = /^(?:min[iA-Z]|exclusiveMin)/
const upperBound = /^(?:max[iA-Z]|exclusiveMax)/
const restrictions = ['multipleOf', 'pattern', 'format', 'contentEncoding', 'contentMediaType']
const closings = ['additionalProperties', 'unevaluatedProperties', 'unevaluatedItems', 'items']
/** Keywords that hold schemas, or names, each of which allows fewer values. */
const subschemas = [
  ...closings,
  ...['allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else', 'contains', 'propertyNames'],
  ...['patternProperties', 'dependentSchemas', 'dependentRequired'],
]
/** Keywords with several schemas, all of which a value must match; and those of which it needs one. */
const conjunctions = ['allOf', 'patternProperties', 'dependentSchemas']
const alternatives = ['anyOf', 'oneOf']

const ways = ['request', 'response', 'error'] as const
const textProperties = ['description', 'summary', 'title', 'termsOfService', '$comment']
const factProperties = ['bearerFormat', 'tags', 'x-deprecated-at', 'x-replaced-by', 'identifier']
const textType = /^(?:Tag.*|Contact|License|ExternalDocs|Logo|Replacement)$/

/** Returns the verdict on a difference, for the version and for consumers; undefined if it means nothing. */
export function judge(difference: Difference) {
  const { kind, typeName, property, impact, directions, before } = difference
  const effect = effectOf(difference)
  if (effect === 'same' || `${typeName}.${property}` === 'Info.version') return undefined
  // An alternative that asks for nothing is missed by no one while the others are accepted.
  const isEmpty = typeName === 'SecurityRequirement' && Object.keys(toObject(before)).length === 0
  if (kind === 'removed' && isEmpty && impact !== 'major') return undefined
  const [bump, consequence] = rowOf(difference, effect)
  const isNarrower = effect !== undefined && effect !== 'wider'
  const isStored = directions.has('response') && !difference.pointer.includes('/headers/')
  return {
    bump,
    what: toSentence(describeDifference(difference, effect)),
    consequence: `${consequence}${replacementOf(difference)}`,
    ...sunsetOf(difference),
    ...(isNarrower && isStored && { narrowsResponses: true as const }),
  }
}

/** Returns the effect of a difference on the values that a schema allows, if it has one. */
function effectOf(difference: Difference): Effect | undefined {
  const { kind, typeName, pointer, property } = difference
  // A value is validated against the form that its discriminator chooses, and no other one.
  if (typeName.startsWith('Discriminator')) return 'other'
  const effect = kind === 'modified' ? ofKeyword(difference) : ofSchema(difference)
  const at = kind === 'modified' ? `${pointer}/${property}` : pointer
  // A limit on what must not match, or on when another one applies, has the opposite effect.
  const isInverse = /(?<!\/properties)\/(?:not\/.|if(?:\/|$))/.test(at)
  return isInverse && effect !== undefined && effect !== 'same' ? 'other' : effect
}

function ofSchema({ kind, typeName, pointer }: Difference): Effect | undefined {
  const [parent = '', key = ''] = pointerKeys(pointer).slice(-2)
  if (parent === 'properties') return undefined
  if (/\/discriminator\/mapping\/[^/]+$/.test(pointer)) return kind === 'added' ? 'wider' : 'other'
  // Items that have no schema here have that of `items`.
  const isPosition = parent === 'prefixItems' || key === 'prefixItems'
  if (isPosition || (typeName === 'Schema' && key === 'schema')) return 'other'
  if (alternatives.includes(parent)) return kind === 'added' ? 'wider' : 'narrower'
  if (!subschemas.includes(key) && !conjunctions.includes(parent)) return undefined
  return kind === 'added' ? 'narrower' : 'wider'
}

function ofKeyword({ typeName, property, before, after }: Difference): Effect | undefined {
  if (typeName === 'DependentRequired') return compareLists(before ?? [], after ?? [], 'wider')
  if (typeName !== 'Schema') return undefined
  if (property === 'enum') return compareLists(before, after, 'narrower')
  if (property === 'required') return compareLists(before ?? [], after ?? [], 'wider')
  if (property === 'type') return compareLists(toTypes(before), toTypes(after), 'narrower')
  if (property === 'uniqueItems') return compareStrictness(before === true, after === true)
  if (property === 'nullable') return compareStrictness(before !== true, after !== true)
  if (closings.includes(property)) return compareStrictness(closedness(before), closedness(after))
  const isBound = lowerBound.test(property) || upperBound.test(property)
  if (!isBound && !restrictions.includes(property)) return undefined
  if (before === undefined) return 'narrower'
  if (after === undefined) return 'wider'
  if (typeof before !== 'number' || typeof after !== 'number') return 'other'
  if (property === 'multipleOf' && Number.isInteger(before / after)) return 'wider'
  if (property === 'multipleOf' && Number.isInteger(after / before)) return 'narrower'
  if (!isBound) return 'other'
  return lowerBound.test(property) === after > before ? 'narrower' : 'wider'
}

// Without this keyword, and where it is true, any value is allowed.
function closedness(value: unknown): number {
  if (value === false) return 2
  return isObject(value) ? 1 : 0
}

// A list of what is allowed gets narrower where it loses entries, one of what is required wider.
function compareLists(before: unknown, after: unknown, whenFewer: 'narrower' | 'wider'): Effect {
  const whenMore = whenFewer === 'narrower' ? 'wider' : 'narrower'
  if (before === undefined) return whenFewer
  if (after === undefined) return whenMore
  const [lost, gained] = [missingFrom(before, after), missingFrom(after, before)]
  if (lost.length > 0) return gained.length > 0 ? 'other' : whenFewer
  return gained.length > 0 ? whenMore : 'same'
}

function toTypes(value: unknown): unknown {
  const types = typeof value === 'string' ? [value] : value
  // Every integer is a number.
  return Array.isArray(types) && types.includes('number') ? [...types, 'integer'] : types
}

function compareStrictness(before: boolean | number, after: boolean | number): Effect {
  if (before === after) return 'same'
  return after > before ? 'narrower' : 'wider'
}

/** Returns the entries that only the first of two lists has. */
function missingFrom(list: unknown, other: unknown): readonly unknown[] {
  if (!Array.isArray(list)) return []
  const others: readonly unknown[] = Array.isArray(other) ? other : []
  return list.filter((entry) => !others.some((each) => isDeepStrictEqual(each, entry)))
}

function rowOf(difference: Difference, effect: Effect | undefined): Row {
  const { kind, property, directions, impact } = difference
  if (effect !== undefined && directions.size === 0) return find(difference, ['limit unused'])
  const row = find(difference, keysOf(difference, effect))
  const isErrorOnly = directions.size === 1 && directions.has('error')
  // Redocly knows both descriptions, so that it may see more than a keyword shows; errors may grow.
  const isStricter = impact === 'major' && row[0] !== 'major' && !isErrorOnly
  const isLimit = effect !== undefined && kind === 'modified' && property !== 'multipleOf'
  return isStricter && isLimit ? find(difference, ['limit other']) : row
}

function find({ directions, impact }: Difference, keys: readonly string[]): Row {
  const sent = ways.filter((way) => directions.has(way))
  const exact = [...keys, impact].flatMap((key) => [...sent.map((way) => `${key} ${way}`), key])
  return exact.map((key) => verdicts[key]).find((row) => row !== undefined) ?? [impact, '']
}

function keysOf(difference: Difference, effect: Effect | undefined): readonly string[] {
  const { kind, typeName, property, pointer, directions, impact, after } = difference
  if (isExample(difference)) return ['example']
  if (isText(difference)) return ['text']
  if (effect !== undefined) {
    const isSize = /^(?:min|max)/.test(property)
    return [`${isSize ? 'size' : property} ${effect}`, `limit ${effect}`]
  }
  if (kind === 'modified') {
    const how = ` ${trendOf(difference)}`
    return [`${typeName}.${property}`, `*.${property}`].flatMap((key) => [`${key}${how}`, key])
  }
  if (pointer.startsWith('#/components/') && directions.size === 0) {
    return keysOfComponent(difference)
  }
  const isProperty = typeName === 'Schema' && /\/properties\/[^/]+$/.test(pointer)
  const key = `${isProperty ? 'Property' : typeName} ${kind}`
  if (typeName === 'SecurityRequirement' && impact === 'major') return [`${key} breaking`]
  return toObject(after)['required'] === true ? [`${key} required`, key] : [key]
}

/** Returns the keys of a component that was added or removed; the client exports schemas as types. */
function keysOfComponent({ kind, pointer, relocation }: Difference): readonly string[] {
  const isType = /^#\/components\/schemas\/[^/]+$/.test(pointer)
  if (relocation?.kind === 'renamed') return [isType ? 'Schema.key' : '*.key']
  const happened = relocation === undefined ? kind : `${kind} moved`
  return [...(isType ? [`Type ${happened}`] : []), `Component ${happened}`, 'unused']
}

function trendOf({ before, after }: Difference): string {
  if (after === true || before === true) return after === true ? 'on' : 'off'
  if (before === undefined || after === undefined) return before === undefined ? 'set' : 'unset'
  // Days are written so that their order is that of their text.
  const isLower =
    typeof before === 'number' ? Number(after) < before : String(after) < String(before)
  return isLower ? 'lower' : 'higher'
}

function isExample({ typeName, property, pointer }: Difference): boolean {
  const isInside = /\/examples?(?:\/|$)/.test(pointer) || typeName.startsWith('Example')
  return isInside || property === 'example' || property === 'examples'
}

function isText({ typeName, property }: Difference): boolean {
  return [...textProperties, ...factProperties].includes(property) || textType.test(typeName)
}

function describeDifference(difference: Difference, effect: Effect | undefined): string {
  const { kind, typeName, property, pointer, subject, before, after, relocation } = difference
  const happened = { added: 'is new', removed: 'was removed', modified: 'was changed' }[kind]
  // What is said of the schema of a parameter is not said of the parameter.
  const isOfSchema = typeName === 'Schema' && /(?<!\/properties)\/schema$/.test(pointer)
  const described = isOfSchema ? `the schema of ${subject}` : subject
  if (relocation !== undefined) return describeRelocation(difference, relocation)
  if (isComponent(difference))
    return `the component ${show(pointerKeys(pointer).at(-1))} ${happened}`
  if (isExample(difference)) return `an example of ${described} ${happened}`
  const isTag = typeName === 'Tag'
  if (textType.test(typeName) && !isTag) return `${typeName} of ${subject} ${happened}`
  if (textProperties.includes(property)) return `the ${property} of ${described} was reworded`
  if (kind === 'modified') return describeModified(difference, effect)
  if (isTag) return `the tag ${show(toObject(before ?? after)['name'])} ${happened}`
  if (typeName === 'MediaType') {
    return `the media type ${pointerKeys(pointer).at(-1)} for ${subject} ${happened}`
  }
  if (typeName === 'Server')
    return `the server ${show(toObject(before ?? after)['url'])} ${happened}`
  const id = show(toObject(before ?? after)['operationId'])
  if (typeName === 'Operation') {
    return kind === 'added' ? `${subject} is new, ${id}` : `${subject}, ${id}, was removed`
  }
  if (typeName === 'SecurityRequirement') {
    const schemes = Object.keys(toObject(before ?? after))
    const names = schemes.map(show).join(' with ') || 'no credentials'
    const state = kind === 'added' ? 'now' : 'no longer'
    const isBreaking = difference.impact === 'major'
    return `${names} ${names.startsWith('no') ? 'are' : 'is'} ${state} ${
      isBreaking === (kind === 'added') ? 'required' : 'accepted'
    }`
  }
  if (/^(?:Parameter|RequestBody|Response|Header)$/.test(typeName) || isWhole(difference)) {
    return `${subject} ${happened}${toObject(after)['required'] === true ? ' and required' : ''}`
  }
  const [keyword, entry] = pointerKeys(pointer).slice(-2)
  const isEntry = /^\d+$/.test(entry ?? '')
  return `${isEntry ? `a schema in \`${keyword}\`` : show(entry)} of ${subject} ${happened}`
}

function describeRelocation({ kind, pointer }: Difference, relocation: Relocation): string {
  const name = show(pointerKeys(pointer).at(-1))
  if (relocation.kind === 'renamed') return `${show(relocation.from)} is now named ${name}`
  const isInlined = relocation.kind === 'inlined'
  if (kind === 'added') {
    const before = isInlined ? 'written where it is used' : `in ${relocation.file}`
    return `${name} is now a component; before, it was ${before}`
  }
  if (isInlined) return `${name} is no longer a component; it is written where it is used`
  return `the component ${name} was moved to ${relocation.file}`
}

/** Returns whether a whole component was added or removed, not something in it or what uses it. */
function isComponent({ kind, pointer, directions }: Difference): boolean {
  const isPlace = /^#\/components\/[^/]+\/[^/]+$/.test(pointer)
  return kind !== 'modified' && directions.size === 0 && isPlace
}

/** Returns whether a subject is the node itself, not a node around it. */
function isWhole({ pointer }: Difference): boolean {
  const segments = pointerKeys(pointer)
  return segments.length <= 3 || segments.at(-2) === 'properties' || segments.at(-1) === 'not'
}

function describeModified(difference: Difference, effect: Effect | undefined): string {
  const { typeName, property, subject, before, after, messages } = difference
  if (property === 'key' || property === 'name')
    return `${show(before)} is now named ${show(after)}`
  if (/^(?:required|deprecated|readOnly|writeOnly)$/.test(property) && effect === undefined) {
    return `${subject} is ${after === true ? 'now' : 'no longer'} ${property}`
  }
  const isList = property === 'enum' && before !== undefined && after !== undefined
  if (isList || property === 'required') {
    const list = (values: readonly unknown[]) => values.map(show).join(', ')
    const [gained, lost] = [list(missingFrom(after, before)), list(missingFrom(before, after))]
    const [more, fewer] = isList ? ['also allows', 'allows'] : ['requires', 'requires']
    const clauses = [gained && `now ${more} ${gained}`, lost && `no longer ${fewer} ${lost}`]
    return `${subject} ${clauses.filter((clause) => clause !== '').join(' and ')}`
  }
  if (/^Server|^Security/.test(typeName) && messages.length > 0) return messages.join(' ')
  const state = after === undefined ? 'no longer stated' : `now ${show(after)}`
  const old = before === undefined ? '' : `; it was ${show(before)}`
  return `\`${property}\` of ${subject} is ${state}${old}`
}

/** Returns a value of the description as it is shown in a sentence, between backticks on one line. */
function show(value: unknown): string {
  const written = typeof value === 'string' ? value : JSON.stringify(value)
  const text = (written ?? 'nothing').replaceAll('`', "'").replaceAll(/\s+/g, ' ')
  return `\`${text.length > 80 ? `${text.slice(0, 77)}…` : text}\``
}

function toSentence(words: string): string {
  const text = words.trim().replace(/\.$/, '')
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}

function sunsetOf({ kind, typeName, directions, before }: Difference): Pick<Change, 'sunset'> {
  const { 'x-sunset': sunset } = toObject(before)
  if (kind !== 'removed') return {}
  if (typeName === 'Operation') return { sunset: String(sunset ?? 'never announced') }
  return typeof sunset === 'string' && directions.size > 0 ? { sunset } : {}
}

function replacementOf({ kind, typeName, before }: Difference): string {
  const replacement = toObject(toObject(before)['x-replaced-by'])
  if (kind !== 'removed' || typeName !== 'Operation' || !isObject(replacement)) return ''
  const { description, operationId } = replacement
  return operationId === undefined ? '' : ` Use ${description ?? show(operationId)}.`
}
