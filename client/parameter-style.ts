import type { Styles } from './parameters.ts'
import { isRecord } from './record.ts'

/** How a parameter is written. */
interface Form {
  readonly name: string
  readonly location: string
  readonly style: string
  /** Whether each item of an array, and each member of an object, is written by itself. */
  readonly explode: boolean
  readonly allowReserved: boolean
  /** Whether null is a value; otherwise it is not sent. */
  readonly isNullable: boolean
}

/** The usual styles (OpenAPI, "Parameter Object"); a star is for `explode`. */
const usual: Styles = { path: 'simple', query: 'form*', header: 'simple', cookie: 'form*' }

/**
 * Writes a parameter (OpenAPI, "Style Examples"): the pairs of a query or of a cookie, the text in a path or in a
 * header field; undefined if nothing is sent. Throws a `TypeError` if an item has the separator of its style.
 */
export function writeParameter(
  location: string,
  name: string,
  value: unknown,
  styles: Styles,
): string | undefined {
  const form = readForm(location, name, styles)
  const isSent = value !== undefined && (value !== null || form.isNullable)
  const parts = isSent ? partsOf(form, value) : []
  if (parts.length === 0) {
    return undefined
  }

  const marks: Styles = { label: '.', matrix: ';' }
  const mark = marks[form.style]
  const ofPairs = location === 'cookie' ? '; ' : '&'
  const separator = mark ?? (form.style === 'simple' ? ',' : ofPairs)
  return (mark ?? '') + parts.join(separator)
}

/** Reads a style such as `form*`: `*` is for `explode`, `+` for `allowReserved`, `?` for null. */
function readForm(location: string, name: string, styles: Styles): Form {
  const key = `${location} ${name}`
  const text = (Object.hasOwn(styles, key) ? styles[key] : usual[location]) ?? ''
  return {
    name,
    location,
    style: /^[a-z]*/i.exec(text)?.[0] ?? '',
    explode: text.includes('*'),
    allowReserved: text.includes('+'),
    isNullable: text.includes('?'),
  }
}

/** Returns the parts of a value, such as `id=3` for each item of an array that is exploded. */
function partsOf(form: Form, value: unknown): readonly string[] {
  if (form.style === 'json') {
    // Header fields are ASCII.
    const json = JSON.stringify(value).replaceAll(/[^\0-~]/g, toEscape)
    return [toPart(form, encode(form, json))]
  }
  if (Array.isArray(value)) {
    const items = value.map((item) => encodeItem(form, toText(item)))
    return form.explode ? items.map((item) => toPart(form, item)) : joinParts(form, items)
  }
  if (!isRecord(value)) {
    return [toPart(form, encode(form, toText(value)))]
  }
  if (form.style === 'deepObject') {
    return writeDeep(form, form.name, value)
  }

  const pairs = membersOf(value).flatMap(([key, member]) => writeMember(form, key, member))
  return form.explode ? pairs.map((pair) => pair.join('=')) : joinParts(form, pairs.flat())
}

function toEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}

function membersOf(value: object): readonly (readonly [string, unknown])[] {
  return Object.entries(value).filter(([, member]) => member !== undefined)
}

function writeMember(form: Form, key: string, member: unknown): readonly string[][] {
  const name = encodeItem({ ...form, allowReserved: false }, key)
  // In a query, an array is a parameter that is repeated.
  const isRepeated = Array.isArray(member) && form.explode && form.style === 'form'
  const values: readonly unknown[] = isRepeated ? member : [member]
  return values.map((each) => [name, encodeItem(form, toText(each))])
}

/** Writes the members of an object in the style `deepObject`, such as `filter[from]=1`. */
function writeDeep(form: Form, name: string, value: unknown): readonly string[] {
  if (isRecord(value) && !Array.isArray(value)) {
    return membersOf(value).flatMap(([key, member]) => writeDeep(form, `${name}[${key}]`, member))
  }
  const values: readonly unknown[] = Array.isArray(value) ? value : [value]
  return values.map((each) => `${encodeURIComponent(name)}=${encode(form, toText(each))}`)
}

/** Returns texts as one part; none if there are no texts, except in a path. */
function joinParts(form: Form, texts: readonly string[]): readonly string[] {
  const delimiters: Styles = { spaceDelimited: '%20', pipeDelimited: '%7C' }
  const isOmitted = texts.length === 0 && form.location !== 'path'
  return isOmitted ? [] : [toPart(form, texts.join(delimiters[form.style] ?? ','))]
}

/** Returns a text with the name of its parameter, where the style writes it. */
function toPart({ name, location, style }: Form, text: string): string {
  const isNamed = location === 'query' || location === 'cookie' || style === 'matrix'
  if (!isNamed) {
    return text
  }

  const encodedName = location === 'cookie' ? name : encodeURIComponent(name)
  return `${encodedName}=${text}`
}

/** Returns the text of a value. A value inside of others is JSON, because OpenAPI has no form of it. */
function toText(value: unknown): string {
  if (value === null) {
    return ''
  }
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** Encodes an item or a member, in which no separator may be left. */
function encodeItem(form: Form, text: string): string {
  const { name, location, style, explode } = form
  const encoded = encode(form, text)
  if (style === 'label' && explode) {
    return encoded.replaceAll('.', '%2E')
  }

  const separators: Readonly<Record<string, RegExp>> = {
    spaceDelimited: /%20/,
    pipeDelimited: /%7C/,
  }
  const separator = location === 'header' ? /[,=]/ : separators[style]
  const isOneText = location === 'header' || !explode
  if (isOneText && separator?.test(encoded)) {
    throw new TypeError(`${name} has an item with the separator of its style ${style}.`)
  }
  // A comma is data if it is encoded.
  return isOneText && style === 'form' ? encoded.replaceAll(',', '%2C') : encoded
}

/** The encoded reserved characters (RFC 3986, section 2.2) that have no meaning in a query. */
const encodedReserved = /%(?:2[14789ACF]|3[ABDF]|40)/g

function encode({ location, style, allowReserved }: Form, text: string): string {
  if (location === 'header' || style === 'cookie') {
    return text
  }
  const encoded = encodeURIComponent(text)
  return allowReserved ? encoded.replaceAll(encodedReserved, decodeURIComponent) : encoded
}
