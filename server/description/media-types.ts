/** The media type of JSON (RFC 8259). */
export const json = 'application/json'

/** Returns a media type in lower case, without its parameters. */
export function withoutParameters(mediaType: string): string {
  const [type = ''] = mediaType.split(';', 1)
  return type.trim().toLowerCase()
}

/** Returns whether content of a media type is JSON: `application/json`, or a type that ends in `+json`. */
export function isJsonType(mediaType: string): boolean {
  // Most content is of this type.
  return mediaType === json || /[/+]json$/.test(withoutParameters(mediaType))
}

/** Returns whether content of a media type is XML (RFC 7303). */
export function isXmlType(mediaType: string): boolean {
  return /^(?:application|text)\/xml$|\+xml$/.test(withoutParameters(mediaType))
}

/**
 * Returns the media types of JSON that content of declared types may have: `application/json`, then the others
 * in their order. A range such as `application/*` stands for `application/json`.
 */
export function jsonTypesOf(declared: readonly string[]): readonly string[] {
  const types = declared.map((name) => {
    const isRangeOfJson = !isExact(name) && matches(withoutParameters(name), json)
    return isRangeOfJson ? json : name
  })
  const ofJson = [...new Set(types)].filter((type) => isExact(type) && isJsonType(type))
  return ofJson.toSorted((one, other) => Number(other === json) - Number(one === json))
}

/**
 * Returns the declared media type that content of a type belongs to: the type itself, or else the
 * narrowest range, such as `application/*`; undefined if there is none. Parameters do not matter.
 */
export function findMediaType(declared: readonly string[], mediaType: string): string | undefined {
  const type = withoutParameters(mediaType)
  const ranges = declared.filter((range) => matches(withoutParameters(range), type))
  return ranges.find(isExact) ?? ranges.sort(longerFirst)[0]
}

/** Returns whether a media type is a range, such as `image/*`. */
export function isRange(mediaType: string): boolean {
  return mediaType.includes('*')
}

function isExact(mediaType: string): boolean {
  return !isRange(mediaType)
}

function longerFirst(one: string, other: string): number {
  return other.length - one.length
}

/** Returns whether a type is that of a range (RFC 9110, section 12.5.1), or has its suffix, as in `application/*+json`. */
function matches(range: string, type: string): boolean {
  const [start = '', end] = range.split('*', 2)
  if (end === undefined) {
    return range === type
  }
  if (range === '*/*') {
    return type.includes('/')
  }
  return type.length > start.length + end.length && type.startsWith(start) && type.endsWith(end)
}
