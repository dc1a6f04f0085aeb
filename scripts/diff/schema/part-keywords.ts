import { toList, toObject } from '../../../server/description/json.ts'
import {
  type Fact,
  type Located,
  type Location,
  toKey,
} from '../../../server/description/location.ts'
import { compilePattern } from '../../../server/description/pattern.ts'
import { toChild } from '../../../server/description/pointer.ts'
import type { JsonType } from './schema.ts'
import type { Part } from './schema-parts.ts'

export function toId(parts: readonly Part[], at: Location): string {
  const keys = new Set(parts.map(({ key }) => key))
  return [...keys].join('&') || `@${toKey(at)}`
}

export function keywordAt({ at: { file, pointer } }: Part, keyword: string): Location {
  return { file, pointer: toChild(pointer, keyword) }
}

export function memberAt(part: Part, keyword: string, name: string): Location {
  const { file, pointer } = keywordAt(part, keyword)
  return { file, pointer: toChild(pointer, name) }
}

/** Returns the first of some keywords that a part has. */
export function findKey({ keywords }: Part, names: readonly string[]): string {
  return names.find((name) => name in keywords) ?? 'type'
}

/** Returns the schema under a keyword of a part; undefined if it has none. */
export function schemaUnder(part: Part, keyword: string): Located | undefined {
  const value = part.keywords[keyword]
  return value === undefined ? undefined : { ...keywordAt(part, keyword), value }
}

export function keysOf({ keywords, closing }: Part, keyword: string): readonly string[] {
  // What a closing names is stated by the parts beside it.
  return closing === undefined ? Object.keys(toObject(keywords[keyword])) : []
}

export function namesProperty(part: Part, keyword: string, name: string): boolean {
  if (keysOf(part, keyword).includes(name)) {
    return true
  }
  const patterns = keyword === 'properties' ? keysOf(part, 'patternProperties') : []
  return patterns.some((pattern) => matches(pattern, name))
}

export function matches(pattern: string, text: string): boolean {
  try {
    return compilePattern(pattern).test(text)
  } catch {
    // The linter reports what is no regular expression.
    return false
  }
}

/** Returns whether the keywords of a part apply to some of the types. */
export function appliesTo({ only }: Part, types: readonly JsonType[]): boolean {
  return only === undefined || types.some((type) => only.has(type))
}

/** Returns the schemas that an item at a position must match. */
export function itemAt(part: Part, index: number): readonly Located[] {
  const { closing, keywords } = part
  if (closing?.kind === 'items') {
    const isNamed = closing.beside.some(
      (each) => index < toList(each.keywords['prefixItems']).length,
    )
    return isNamed ? [] : [closing.schema]
  }
  const positions = toList(keywords['prefixItems'])
  if (index < positions.length) {
    return [{ ...memberAt(part, 'prefixItems', `${index}`), value: positions[index] }]
  }
  const items = schemaUnder(part, 'items')
  return items === undefined ? [] : [items]
}

export function readRequired(parts: readonly Part[]): ReadonlyMap<string, Location> {
  const locations = parts.flatMap((part) => {
    const names = toList(part.keywords['required'])
    return names.map((name) => [String(name), keywordAt(part, 'required')] as const)
  })
  // A map keeps the last entry of a name: in reverse order, that is the location in the first part.
  return new Map(locations.toReversed())
}

export function readDependentRequired(parts: readonly Part[]) {
  const dependents = new Map<string, Fact<readonly string[]>>()
  for (const part of parts) {
    for (const [keyword, name, required] of statedDependents(part)) {
      const names = [...(dependents.get(name)?.value ?? []), ...required.map(String)]
      const at = memberAt(part, keyword, name)
      if (names.length > 0) {
        dependents.set(name, { value: [...new Set(names)].sort(), at })
      }
    }
  }
  return dependents
}

/** Returns the names that a part requires beside another one, with the keyword that says so. */
function statedDependents({ keywords }: Part) {
  const listed = Object.entries(toObject(keywords['dependentRequired'])).map(
    ([name, value]) => ['dependentRequired', name, toList(value)] as const,
  )
  const written = Object.entries(toObject(keywords['dependentSchemas'])).map(
    ([name, schema]) => ['dependentSchemas', name, requiredAlone(schema) ?? []] as const,
  )
  return [...listed, ...written]
}

/** Returns the names that a schema requires if it says nothing else; undefined if it does. */
export function requiredAlone(schema: unknown): readonly unknown[] | undefined {
  const { required, ...otherKeywords } = toObject(schema)
  return Array.isArray(required) && Object.keys(otherKeywords).length === 0 ? required : undefined
}

export function findTrue(parts: readonly Part[], keyword: string): Location | undefined {
  const part = parts.find(({ keywords }) => keywords[keyword] === true)
  return part && keywordAt(part, keyword)
}
