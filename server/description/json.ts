/** A JSON object of unknown content. */
export interface JsonObject {
  readonly [name: string]: unknown
}

/** Returns whether a value is a JSON object. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Returns the value if it is an object, else an empty one. */
export function toObject(value: unknown): JsonObject {
  return isObject(value) ? value : {}
}

/** Returns the value if it is a list, else an empty one. */
export function toList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** Returns the value if it is a text, else undefined. */
export function toText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

/** Returns a member of an object, or an item of a list; undefined if the value has none of its own. */
export function memberOf(value: unknown, key: string): unknown {
  if (Array.isArray(value)) {
    return value[Number(key)]
  }
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined
}

/** Returns a value as JSON that is the same whatever the order of keys. */
export function toSortedJson(value: unknown): string {
  return JSON.stringify(value, (_, each) => {
    if (!isObject(each)) {
      return each
    }
    const entries = Object.entries(each)
    return Object.fromEntries(entries.toSorted(([one], [other]) => (one < other ? -1 : 1)))
  })
}
