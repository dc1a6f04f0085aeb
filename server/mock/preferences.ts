/** Preferences of a request, by name in lower case. */
export type Preferences = ReadonlyMap<string, string>

// RFC 7240, section 2: names, perhaps with values, and perhaps with parameters behind semicolons.
const part =
  /[ \t]*(?:([!#$%&'*+.^_`|~\w-]+)[ \t]*(?:=[ \t]*(?:"((?:\\.|[^"\\])*)"|([^\s",;]*))[ \t]*)?)?(?:[,;]|$)/y

/**
 * Reads `Prefer` fields (RFC 7240); of a preference that comes twice the first one counts. What is
 * written as a parameter of one is taken for one, as whoever writes `code=404; example=none` means
 * it. Undefined where it cannot be read to its end.
 */
export function readPreferences(fields: readonly string[]): Preferences | undefined {
  const found = new Map<string, string>()
  const text = fields.join(', ')
  for (let at = 0; at < text.length; at = part.lastIndex) {
    part.lastIndex = at
    const match = part.exec(text)
    if (match === null) return undefined
    const [, name = '', quoted, plain] = match
    const value = quoted?.replaceAll(/\\(.)/g, '$1') ?? plain ?? ''
    const key = name.toLowerCase()
    if (key !== '' && !found.has(key)) found.set(key, value)
  }
  return found
}

/** Writes preferences as `Preference-Applied` has them (RFC 7240, section 3). */
export function writePreferences(preferences: Preferences): string {
  return [...preferences].map(([name, value]) => `${name}=${quote(value)}`).join(', ')
}

function quote(value: string): string {
  if (/^[!#$%&'*+.^_`|~\w-]+$/.test(value)) return value
  return `"${value.replaceAll(/["\\]/g, '\\$&')}"`
}
