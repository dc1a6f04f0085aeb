/** A JSON object of unknown content. */
export type JsonObject = { readonly [key: string]: unknown }

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Returns a value as JSON that is the same whatever the order of keys. */
export function toSortedJson(value: unknown): string {
  return JSON.stringify(value, (_, each) => {
    if (!isObject(each)) return each
    return Object.fromEntries(
      Object.entries(each).toSorted(([one], [other]) => (one < other ? -1 : 1)),
    )
  })
}

/** Returns the value if it is an object, else an empty one. */
export function toObject(value: unknown): JsonObject {
  return isObject(value) ? value : {}
}

/** Returns the value if it is a list, else an empty one. */
export function toList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** Returns an object of a bundled description with its `$ref` followed; keys beside the `$ref` win. */
export function dereference(root: JsonObject, value: unknown): JsonObject {
  const { $ref, ...beside } = toObject(value)
  if (typeof $ref !== 'string') return toObject(value)
  return { ...dereference(root, valueAt(root, $ref)), ...beside }
}

/** Follows the `$ref` of a value; returns an object. */
export type Resolve = (value: unknown) => JsonObject

/**
 * Returns a schema with its `$ref` followed and, where `allOf` has a single entry, that entry's keys;
 * of several entries, the type that one of them names.
 */
export function readSchema(value: unknown, resolve: Resolve): JsonObject {
  const { allOf, ...own } = resolve(value)
  const parts = toList(allOf).map((part) => readSchema(part, resolve))
  const [only, ...more] = parts
  const whole = more.length === 0 ? { ...only, ...own } : own
  const type = [whole['type'] ?? parts.find((part) => part['type'] !== undefined)?.['type']].flat()
  return { ...whole, type: type.length === 1 ? type[0] : type }
}

/** Returns the value at a JSON Pointer such as `#/components/schemas`; undefined where there is none. */
export function valueAt(root: unknown, $ref: string): unknown {
  if (!$ref.startsWith('#/')) return undefined
  return pointerKeys($ref).reduce<unknown>(
    (value, key) => (Array.isArray(value) ? value[Number(key)] : toObject(value)[key]),
    root,
  )
}

/** Returns the keys of a JSON Pointer in a URI fragment. */
export function pointerKeys(pointer: string): readonly string[] {
  const [, ...segments] = pointer.split('/')
  return segments.map((segment) => decode(segment).replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** Returns the JSON Pointer that has some keys. */
export function toPointer(keys: readonly string[]): string {
  return keys.reduce(toChild, '#')
}

/** Returns a JSON Pointer to a key of what another one points at. */
export function toChild(pointer: string, key: string): string {
  return `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`
}

// Redocly writes pointers without the escapes of a URI, so a name may have a % of its own.
function decode(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

/** Returns the path that a server's URL ends in, its variables at their defaults. */
export function basePathOf(server: unknown): string {
  // Not `new URL`, which rejects a host whose variable has no default.
  const path = readServerUrl(server)
    .replace(/^(?:[a-z][a-z\d+.-]*:)?\/\/[^/?#]*/i, '')
    .replace(/[?#].*/s, '')
  return path.replace(/^(?=[^/])/, '/').replace(/(?<!\/)\/+$/, '')
}

/** Returns a server's URL, its variables at their defaults. */
export function readServerUrl(server: unknown): string {
  const { url, variables } = toObject(server)
  return String(url ?? '').replaceAll(/\{([^{}]*)\}/g, (whole, name) =>
    String(toObject(toObject(variables)[name])['default'] ?? whole),
  )
}
