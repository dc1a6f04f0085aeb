import { memberOf } from './json.ts'

/** Writes a name as one token of a JSON Pointer (RFC 6901). */
export function escapeToken(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1')
}

/** Reads one token of a JSON Pointer (RFC 6901). */
export function unescapeToken(token: string): string {
  return token.replaceAll('~1', '/').replaceAll('~0', '~')
}

/** Returns the keys of a JSON Pointer in a URI fragment, such as `#/paths/~1orders`. */
export function pointerKeys(pointer: string): readonly string[] {
  const [, ...tokens] = pointer.split('/')
  return tokens.map((token) => unescapeToken(decodeIfValid(token)))
}

/** Returns the JSON Pointer that has some keys. */
export function toPointer(keys: readonly string[]): string {
  return keys.reduce(toChild, '#')
}

/** Returns a JSON Pointer to a key of what another one points at. */
export function toChild(pointer: string, key: string): string {
  return `${pointer}/${escapeToken(key)}`
}

/** Returns the value at a JSON Pointer such as `#/components/schemas`; undefined where there is none. */
export function valueAt(root: unknown, pointer: string): unknown {
  return pointerKeys(pointer).reduce(memberOf, root)
}

/**
 * Decodes a part of a URI; returns it as it is if it is malformed: Redocly writes pointers without the escapes
 * of a URI, so a name may have a % of its own.
 */
export function decodeIfValid(token: string): string {
  try {
    return decodeURIComponent(token)
  } catch {
    return token
  }
}
