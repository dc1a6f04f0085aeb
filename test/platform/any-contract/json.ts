/** A value of JSON. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject

/** An object of JSON. */
export interface JsonObject {
  readonly [key: string]: Json
}

/** Returns whether a value is an object, and no list. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Returns whether a value is a list. */
export function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value)
}

/** Returns a value if it is an object, else an empty one. */
export function toObject(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {}
}

/** Returns a value if it is a list, else an empty one. */
export function toList(value: Json | undefined): readonly Json[] {
  return isList(value) ? value : []
}

/** Returns a value if it is a text, else an empty one. */
export function toText(value: Json | undefined): string {
  return typeof value === 'string' ? value : ''
}

/** Returns a value as a short line for a message. */
export function show(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'undefined')
  return text.length > 300 ? `${text.slice(0, 300)}…` : text
}

/**
 * Returns where a value differs from the expected one, as lines with a pointer. Members that are not expected
 * may be there; lists have the same length.
 */
export function listMismatches(expected: Json, actual: Json | undefined, at = ''): string[] {
  if (isList(expected)) {
    if (!isList(actual) || actual.length !== expected.length) {
      return [`${at || '/'} is ${show(actual)}, not ${show(expected)}`]
    }
    return expected.flatMap((item, index) => listMismatches(item, actual[index], `${at}/${index}`))
  }
  if (isObject(expected)) {
    if (!isObject(actual)) {
      return [`${at || '/'} is ${show(actual)}, not ${show(expected)}`]
    }
    return Object.entries(expected).flatMap(([key, value]) =>
      listMismatches(value, actual[key], `${at}/${key}`),
    )
  }
  return expected === actual ? [] : [`${at || '/'} is ${show(actual)}, not ${show(expected)}`]
}
