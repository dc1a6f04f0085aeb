import { childOf, childrenOf } from './fields.ts'
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
  const found = partsOf(schema, references).map((part) => childOf(part, keyword))
  return found.find(({ value }) => value !== undefined)
}
