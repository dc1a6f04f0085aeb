import { isObject } from './json.ts'

/** How a parameter is written. */
export interface WrittenForm {
  readonly name: string
  /** `path`, `query`, `header` or `cookie`. */
  readonly location: string
  readonly style: string
  readonly explode: boolean
  readonly allowReserved: boolean
  /** Whether the text is JSON. */
  readonly isJson: boolean
}

/**
 * Writes the value of a parameter (OpenAPI, "Style Examples"): the pairs of a query or of a cookie, the text in
 * a path, that of a header field. An array or an object without parts is an empty text. Throws an error if an
 * item has the separator of its style, and cannot be written.
 */
export function writeParameter(form: WrittenForm, value: unknown): string {
  const parts = partsOf(form, value)
  const start = form.style === 'label' ? '.' : ';'
  const isMarked = form.style === 'label' || form.style === 'matrix'
  return (isMarked ? start : '') + parts.join(separatorOf(form))
}

/** Returns the parts of a value, such as `id=3` for each item of an array that is exploded. */
function partsOf(form: WrittenForm, value: unknown): readonly string[] {
  if (form.isJson) {
    return [toPart(form, encode(form, JSON.stringify(value)))]
  }
  if (Array.isArray(value)) {
    const items = value.map((item) => encodeItem(form, toText(item)))
    return form.explode ? items.map((item) => toPart(form, item)) : joinParts(form, items)
  }
  if (!isObject(value)) {
    return [toPart(form, encode(form, toText(value)))]
  }
  if (form.style === 'deepObject') {
    return writeDeep(form, form.name, value)
  }

  const pairs = membersOf(value).flatMap(([key, member]) => writeMember(form, key, member))
  return form.explode ? pairs.map((pair) => pair.join('=')) : joinParts(form, pairs.flat())
}

function membersOf(value: object): readonly (readonly [string, unknown])[] {
  return Object.entries(value).filter(([, member]) => member !== undefined)
}

/** Writes a member of an object as its name and its text. */
function writeMember(form: WrittenForm, key: string, member: unknown): readonly string[][] {
  const name = encodeItem({ ...form, allowReserved: false }, key)
  // In a query, an array is a parameter that is repeated.
  const isRepeated = Array.isArray(member) && form.explode && form.style === 'form'
  const values: readonly unknown[] = isRepeated ? member : [member]
  return values.map((each) => [name, encodeItem(form, toText(each))])
}

/** Writes the members of an object in the style `deepObject`, such as `filter[from]=1`. */
function writeDeep(form: WrittenForm, name: string, value: unknown): readonly string[] {
  if (isObject(value)) {
    return membersOf(value).flatMap(([key, member]) => writeDeep(form, `${name}[${key}]`, member))
  }
  const values: readonly unknown[] = Array.isArray(value) ? value : [value]
  return values.map((each) => `${encodeText(name)}=${encode(form, toText(each))}`)
}

/** Returns texts as one part; none if there are no texts, unless a path has the mark of the style alone. */
function joinParts(form: WrittenForm, texts: readonly string[]): readonly string[] {
  const isOmitted = texts.length === 0 && form.location !== 'path'
  return isOmitted ? [] : [toPart(form, texts.join(delimiters[form.style] ?? ','))]
}

/** The separators of items that are one text, where that is no comma. */
const delimiters: Readonly<Record<string, string>> = { spaceDelimited: '%20', pipeDelimited: '%7C' }

/** The separators of parts, where they are those of neither a query nor a cookie. */
const separators: Readonly<Record<string, string>> = { simple: ',', label: '.', matrix: ';' }

function separatorOf({ style, location }: WrittenForm): string {
  return separators[style] ?? (location === 'cookie' ? '; ' : '&')
}

/** Returns a text with the name of its parameter, in the styles that write it. */
function toPart({ name, location, style }: WrittenForm, text: string): string {
  if (style === 'simple' || style === 'label') {
    return text
  }
  return `${location === 'cookie' ? name : encodeText(name)}=${text}`
}

/** Returns the text of a value. A value inside of others is JSON, because OpenAPI has no form of it. */
function toText(value: unknown): string {
  if (value === null) {
    return ''
  }
  if (typeof value === 'object') {
    return JSON.stringify(value)
  }
  // `String` prints a large integer with an exponent.
  const isLargeInteger = Number.isInteger(value) && !Number.isSafeInteger(value)
  return isLargeInteger ? BigInt(Number(value)).toString() : String(value)
}

/** Encodes an item or a member, in which no separator may be left. */
function encodeItem(form: WrittenForm, text: string): string {
  const { name, style, explode, location } = form
  const encoded = encode(form, text)
  if (style === 'label' && explode) {
    return encoded.replaceAll('.', '%2E')
  }

  const delimiter = location === 'header' ? /[,=]/ : unwritable[style]
  const isOneText = location === 'header' || !explode
  if (isOneText && delimiter?.test(encoded)) {
    throw new Error(`The parameter ${name} is ${style}: an item cannot have the separator.`)
  }
  // A comma is data if it is encoded.
  return isOneText && style === 'form' ? encoded.replaceAll(',', '%2C') : encoded
}

/** What an item of a style cannot have, because it is read as a separator whether it is encoded or not. */
const unwritable: Readonly<Record<string, RegExp>> = {
  spaceDelimited: /%20/,
  pipeDelimited: /%7C/,
}

/** Reserved characters (RFC 3986, section 2.2), encoded: those that may be in a query and have no meaning in it. */
const encodedReserved = /%(?:2[14789ACF]|3[ABDF]|40)/g

/** Encodes a text as its location and its style ask for. */
function encode({ location, style, allowReserved }: WrittenForm, text: string): string {
  if (location === 'header' || style === 'cookie') {
    return text
  }
  const encoded = encodeText(text)
  const isLiteral = allowReserved && location === 'query'
  return isLiteral ? encoded.replaceAll(encodedReserved, decodeURIComponent) : encoded
}

/** Encodes every reserved character, those that `encodeURIComponent` leaves, too. */
function encodeText(text: string): string {
  // Most texts are names and identifiers.
  if (/^[\w.~-]*$/.test(text)) {
    return text
  }
  return encodeURIComponent(text).replaceAll(/[!'()*]/g, (character) => {
    return `%${character.charCodeAt(0).toString(16).toUpperCase()}`
  })
}
