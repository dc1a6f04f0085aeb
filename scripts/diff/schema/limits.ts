import type { Fact, Location } from '../../../server/description/location.ts'
import { typesOfBounds, typesOfLimits } from './keywords.ts'
import { appliesTo, keywordAt } from './part-keywords.ts'
import {
  type Bound,
  type BoundName,
  boundNames,
  type JsonType,
  type LimitName,
  limitNames,
} from './schema.ts'
import type { Part } from './schema-parts.ts'
import { isTighter, toInclusive } from './values.ts'

/** The description that keywords are read from. */
export interface KeywordSource {
  /** Throws that a keyword cannot be read, and why. */
  readonly reject: (at: Location, reason: string) => never
}

/** Returns the tightest bounds that the parts state, as those of integers where there are no fractions. */
export function readBounds(
  parts: readonly Part[],
  types: ReadonlySet<JsonType>,
  source: KeywordSource,
): Map<BoundName, Fact<Bound>> {
  const isWhole = types.has('integer') && !types.has('fraction')
  const tightest = boundNames.flatMap((name) => {
    const applying = parts.filter((part) => appliesTo(part, typesOfBounds[name]))
    const [first, ...otherBounds] = applying.flatMap((part) => statedBounds(part, name, source))
    if (first === undefined) {
      return []
    }
    const { value, at } = otherBounds.reduce(
      (one, other) => (isTighter(name, other.value, one.value) ? other : one),
      first,
    )
    const bound = isWhole ? toInclusive(name, value) : value
    // Without these sizes, any size from 0 is allowed.
    const isDefault = /^min[A-Z]/.test(name) && bound.value === 0
    return isDefault ? [] : [[name, { value: bound, at }] as const]
  })
  return new Map(tightest)
}

/** Returns the bounds that a part states under a name; `exclusiveMinimum` states a minimum. */
function statedBounds(part: Part, name: BoundName, source: KeywordSource): readonly Fact<Bound>[] {
  const value = part.keywords[name]
  const exclusiveName = `exclusive${name.charAt(0).toUpperCase()}${name.slice(1)}`
  const exclusive = part.keywords[exclusiveName]
  const stated: Fact<Bound>[] = []
  if (value !== undefined) {
    const bound = { value: toNumber(part, name, source), isExclusive: false }
    stated.push({ value: bound, at: keywordAt(part, name) })
  }
  if (/^(?:min|max)imum$/.test(name) && exclusive !== undefined && typeof exclusive !== 'boolean') {
    const bound = { value: toNumber(part, exclusiveName, source), isExclusive: true }
    stated.push({ value: bound, at: keywordAt(part, exclusiveName) })
  }
  return stated
}

function toNumber(part: Part, keyword: string, { reject }: KeywordSource): number {
  const value = part.keywords[keyword]
  return typeof value === 'number' ? value : reject(keywordAt(part, keyword), 'is no number')
}

/** Returns all limits that the parts state. A `multipleOf` may rule out fractions. */
export function readLimits(parts: readonly Part[], types: Set<JsonType>, source: KeywordSource) {
  const limits = new Map<LimitName, Fact<string | number>[]>()
  for (const part of parts) {
    for (const [name, limit] of statedLimits(part, source)) {
      if (name === 'multipleOf' && Number.isInteger(limit.value)) {
        types.delete('fraction')
      }
      const limitsOfName = limits.get(name) ?? []
      const isRepeated = limitsOfName.some((each) => each.value === limit.value)
      // Every integer is a multiple of 1.
      if (!isRepeated && limit.value !== 1) {
        limits.set(name, [...limitsOfName, limit])
      }
    }
  }
  const multiples = limits.get('multipleOf') ?? []
  const needed = multiples.filter((limit) => !multiples.some((other) => isImplied(limit, other)))
  if (needed.length > 0) {
    limits.set('multipleOf', needed)
  }
  return limits
}

/** Returns whether multiples of another number are multiples of the first one, too. */
function isImplied(limit: Fact<string | number>, other: Fact<string | number>): boolean {
  const times = Number(other.value) / Number(limit.value)
  return Number.isInteger(times) && times > 1
}

/** Returns the limits that a part states; OpenAPI 3.0 has formats for what JSON Schema has keywords for. */
function statedLimits(part: Part, source: KeywordSource) {
  return limitNames.flatMap((name): readonly (readonly [LimitName, Fact<string | number>])[] => {
    const value = part.keywords[name]
    if (value === undefined || !appliesTo(part, typesOfLimits[name])) {
      return []
    }
    const at = keywordAt(part, name)
    if (name === 'multipleOf') {
      return [[name, { value: toNumber(part, name, source), at }]]
    }
    if (typeof value !== 'string') {
      return source.reject(at, 'is no text')
    }
    const isFormat = name === 'format'
    if (isFormat && value === 'byte') {
      return [['contentEncoding', { value: 'base64', at }]]
    }
    const bytes = 'application/octet-stream'
    if (isFormat && value === 'binary') {
      return [['contentMediaType', { value: bytes, at }]]
    }
    return [[name, { value, at }]]
  })
}
