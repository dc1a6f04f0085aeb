import type { Parameter } from './operation.ts'

type Style = NonNullable<Parameter['style']>

/** The separator of the items of an array, as this service writes it. */
const separators: Readonly<Record<Style, string>> = {
  form: ',',
  spaceDelimited: '%20',
  pipeDelimited: '%7C',
}

/** The separators that are read. A space and a pipe are no characters of a URI, so clients encode them. */
const readSeparators: Readonly<Record<Style, RegExp>> = {
  form: /,/,
  spaceDelimited: /%20|\+| /,
  pipeDelimited: /\||%7c/i,
}

/** A comma may be encoded where no item can have one: `URLSearchParams` of JavaScript encodes it. */
const anyComma = /,|%2c/i
const typesWithoutComma: ReadonlySet<unknown> = new Set(['integer', 'number', 'boolean'])

/**
 * Splits the text of a query parameter, still encoded, into the items of an array. A value that is no array,
 * or an item that has a parameter of its own, is one text.
 */
export function splitItems(text: string, parameter: Parameter | undefined): readonly string[] {
  if (parameter === undefined || !isDelimited(parameter)) {
    return [text]
  }

  const { style = 'form', items } = parameter
  const mayEncodeComma = style === 'form' && typesWithoutComma.has(items)
  return text.split(mayEncodeComma ? anyComma : readSeparators[style])
}

/**
 * Writes values of query parameters, in their order, as `splitItems` reads them. Undefined values and empty
 * arrays are omitted; an item without a text is an error, because requests cannot have one.
 */
export function writeQuery(
  values: Readonly<Record<string, unknown>>,
  parameters: Readonly<Record<string, Parameter>>,
): string {
  const pairs = Object.entries(values).flatMap(([name, value]) => {
    const parameter = Object.hasOwn(parameters, name) ? parameters[name] : undefined
    const texts = value === undefined ? [] : writeValue(name, value, parameter)
    return texts.map((text) => `${encode(name)}=${text}`)
  })
  return pairs.join('&')
}

/** Returns the texts of a parameter, encoded: one of each item of an array, unless they are delimited. */
function writeValue(
  name: string,
  value: unknown,
  parameter: Parameter | undefined,
): readonly string[] {
  const items: readonly unknown[] = Array.isArray(value) ? value : [value]
  if (items.includes('')) {
    throw new Error(`The parameter ${name} has a value without a text.`)
  }
  if (items.length === 0 || parameter === undefined || !isDelimited(parameter)) {
    return items.map((item) => encode(String(item), parameter?.allowReserved))
  }

  const { style = 'form', allowReserved } = parameter
  const texts = items.map((item) => {
    const text = encode(String(item), allowReserved)
    // A comma is data if it is encoded; the other separators are always encoded.
    if (style === 'form') {
      return text.replaceAll(',', '%2C')
    }
    if (!readSeparators[style].test(text)) {
      return text
    }
    throw new Error(`The parameter ${name} is ${style}: an item cannot have the separator.`)
  })
  return [texts.join(separators[style])]
}

/** Returns whether the items of an array are in one text. */
function isDelimited({ type, style = 'form', explode = style === 'form' }: Parameter): boolean {
  return type === 'array' && !explode
}

/** Reserved characters (RFC 3986, section 2.2), encoded: those that may be in a query and have no meaning in it. */
const encodedReserved = /%(?:2[14789ACF]|3[ABDF]|40)/g

/** Encodes a text for a query; with `isReservedAllowed`, reserved characters stay as they are. */
function encode(text: string, isReservedAllowed = false): string {
  const encoded = encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return isReservedAllowed ? encoded.replaceAll(encodedReserved, decodeURIComponent) : encoded
}
