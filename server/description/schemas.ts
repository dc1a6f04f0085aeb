import { childOf, childrenOf } from './fields.ts'
import { toObject } from './json.ts'
import type { Located } from './location.ts'

/** Finds what the `$ref` of a value names; undefined if it has none, or if it leads nowhere. */
export interface References {
  tryNext(node: Located): Located | undefined
}

/**
 * Returns the parts of a schema, all of which apply to a value: its own keywords, the schema that it refers
 * to, and those of its `allOf`, with their parts. A part that leads back to the schema is listed once.
 */
export function partsOf(schema: Located, references: References): readonly Located[] {
  const parts = new Map<unknown, Located>()
  const collect = (node: Located): void => {
    if (parts.has(node.value)) {
      return
    }
    parts.set(node.value, node)
    const target = references.tryNext(node)
    if (target !== undefined) {
      collect(target)
    }
    for (const part of childrenOf(node, 'allOf')) {
      collect(part)
    }
  }
  collect(schema)
  return [...parts.values()]
}

/** Returns a keyword of the first part of a schema that has it, with its location; undefined if none has. */
export function findKeyword(
  schema: Located | undefined,
  keyword: string,
  references: References,
): Located | undefined {
  if (schema === undefined) {
    return undefined
  }
  const keywordsOfParts = partsOf(schema, references).map((part) => childOf(part, keyword))
  return keywordsOfParts.find(({ value }) => value !== undefined)
}

/** The keyword of a property that is sent in one direction alone: `readOnly` in responses, `writeOnly` in requests. */
export type Mark = 'readOnly' | 'writeOnly'

/** Returns whether a schema, or a part of it, has a mark. */
export function isMarked(schema: Located, mark: Mark, references: References): boolean {
  return partsOf(schema, references).some(({ value }) => toObject(value)[mark] === true)
}

/** Returns the names of the properties that have a mark, of a schema and of its parts. */
export function markedNames(
  schema: Located,
  mark: Mark,
  references: References,
): ReadonlySet<string> {
  const properties = partsOf(schema, references).flatMap((part) => childrenOf(part, 'properties'))
  const marked = properties.filter((property) => isMarked(property, mark, references))
  return new Set(marked.map(({ key }) => key))
}
