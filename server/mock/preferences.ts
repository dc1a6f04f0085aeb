/** Preferences of a request, by name in lower case. */
export type Preferences = ReadonlyMap<string, string>

// RFC 7240, section 2: a name, perhaps a value, perhaps parameters, which are not read here.
const preference =
  /(?:^|,)[ \t]*([!#$%&'*+.^_`|~\w-]+)(?:[ \t]*=[ \t]*(?:"((?:\\.|[^"\\])*)"|([^\s",;]*)))?[^,"]*/g

/** Reads `Prefer` fields (RFC 7240); of a preference that comes twice the first one counts. */
export function readPreferences(fields: readonly string[]): Preferences {
  const found = new Map<string, string>()
  for (const [, name = '', quoted, plain] of fields.join(', ').matchAll(preference)) {
    const key = name.toLowerCase()
    const value = quoted?.replaceAll(/\\(.)/g, '$1') ?? plain ?? ''
    if (!found.has(key)) found.set(key, value)
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
