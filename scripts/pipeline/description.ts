/** A JSON object of which nothing is known yet. */
export type JsonObject = { readonly [key: string]: unknown }

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The value as an object, or an empty one. */
export function toObject(value: unknown): JsonObject {
  return isObject(value) ? value : {}
}

/** The value as a list, or an empty one. */
export function toList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** An object of a bundled description with its `$ref` followed; keys beside the `$ref` win. */
export function dereference(
  root: JsonObject,
  value: unknown,
  seen: readonly string[] = [],
): JsonObject {
  const { $ref, ...beside } = toObject(value)
  if (typeof $ref !== 'string') return toObject(value)
  // A reference to itself says nothing more than what stands beside it.
  if (seen.includes($ref)) return beside
  return { ...dereference(root, pointAt(root, $ref), [...seen, $ref]), ...beside }
}

/** What a reference points at, itself a reference or not; undefined where that is nothing. */
export function pointAt(root: JsonObject, $ref: string): unknown {
  if (!$ref.startsWith('#/')) return undefined
  return $ref
    .slice(2)
    .split('/')
    .map((segment) => decodeURIComponent(segment).replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>(
      (value, key) => (Array.isArray(value) ? value[Number(key)] : toObject(value)[key]),
      root,
    )
}
