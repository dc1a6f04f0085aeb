import {
  type Description,
  isObject,
  type Json,
  type JsonObject,
  type Operation,
  toObject,
} from './description.ts'

/** A request as a JSON object: the values of parameters by location and name, and the body. */
export type Tree = JsonObject

const locations = ['path', 'query', 'headers', 'cookies']

/** An empty value is none (OpenAPI, "allowEmptyValue"). */
const empty = { anyOf: [{ const: '' }, { type: 'array', contains: { const: '' } }] }

/** Returns the schema of a whole request, so that the errors of Ajv are where `details` have them. */
export function requestSchema(
  { parameters, body }: Operation,
  { strictness }: Pick<Description, 'strictness'>,
): JsonObject {
  const isUnknownIgnored = strictness.unknownQueryParameters === 'ignore'
  const inLocation = (location: string) => {
    const own = parameters.filter(({ at }) => at[0] === location)
    const schemas = own.map(({ at, schema = true }) => [at[1], { allOf: [schema], not: empty }])
    const required = own.filter((one) => one['required'] === true).map(({ at }) => at[1])
    const additionalProperties = location !== 'query' || isUnknownIgnored
    return [location, { properties: Object.fromEntries(schemas), required, additionalProperties }]
  }
  return {
    properties: {
      ...Object.fromEntries(locations.map(inLocation)),
      body: body?.media['schema'] ?? true,
    },
    required: body?.required === true ? ['body'] : [],
  }
}

/** Returns whether a text arrives unchanged, by location. */
const arrives: Readonly<Record<string, (text: string, name: string) => boolean>> = {
  // A segment that is empty or consists of dots is another path.
  path: (text) => !/^\.{0,2}$/.test(text),
  query: () => true,
  // Space around a field is not part of it (RFC 9110, section 5.5).
  headers: (text, name) =>
    /^[\w-]+$/.test(name) && /^(?:[\x21-\x7e](?:[\t\x20-\x7e]*[\x21-\x7e])?)?$/.test(text),
  cookies: (text) => /^[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]*$/.test(text),
}

/**
 * Returns the texts of a parameter; undefined if it cannot be sent, such as an object, or would be
 * received as something else.
 */
export function textsOf(
  { parameters }: Operation,
  [location, name]: readonly [location: string, name: string],
  value: Json = null,
): readonly string[] | undefined {
  const items = [value].flat()
  if (items.length === 0 || items.some((item) => typeof item === 'object')) {
    return undefined
  }
  const texts = items.map(toText)
  if (!texts.every((text) => arrives[location]?.(text, name))) {
    return undefined
  }
  const parameter = parameters.find(({ at }) => at[0] === location && at[1] === name)
  const style = parameter?.['style'] ?? 'form'
  const isExploded = parameter?.['explode'] ?? style === 'form'
  if (isExploded) {
    return texts
  }
  const separator = separators[String(style)] ?? ','
  // An item in a joined text has no separator and is not empty.
  const canBeJoined = texts.every((text) => text !== '' && !text.includes(separator))
  return canBeJoined ? [texts.join(separator)] : undefined
}

/** The separators of items in one text, by style. */
const separators: Readonly<Record<string, string>> = {
  form: ',',
  spaceDelimited: ' ',
  pipeDelimited: '|',
}

/** Writes a request; returns undefined if it cannot be sent. */
export function toRequest({ basePath }: Description, operation: Operation, tree: Tree) {
  if (!locations.every((location) => isObject(tree[location]))) {
    return undefined
  }
  const sent = locations.flatMap((location) =>
    Object.entries(toObject(tree[location])).map(([name, value]) => {
      return { location, name, texts: textsOf(operation, [location, name], value) }
    }),
  )
  if (sent.some(({ texts }) => texts === undefined)) {
    return undefined
  }
  const pairsIn = (wanted: string) =>
    sent
      .filter(({ location }) => location === wanted)
      .flatMap(({ name, texts = [] }) => texts.map((text) => [name, text] as const))
  const path = pairsIn('path').reduce(
    (template, [name, text]) => template.replace(`{${name}}`, () => encodeURIComponent(text)),
    basePath + operation.path,
  )
  // A comma that separates items must not be encoded; any other one need not be.
  const query = pairsIn('query').map((pair) =>
    pair.map((text) => encodeURIComponent(text).replaceAll('%2C', ',')).join('='),
  )
  const cookies = pairsIn('cookies').map((pair) => pair.join('='))
  const target = query.length === 0 ? path : `${path}?${query.join('&')}`
  // A parameter of the path is missing, or the target is too long.
  if (path.includes('{') || target.length > 8_000) {
    return undefined
  }
  const { body } = tree
  return {
    method: operation.method,
    path: target,
    headers: {
      ...Object.fromEntries(pairsIn('headers')),
      ...(cookies.length > 0 && { Cookie: cookies.join('; ') }),
      ...(body !== undefined && { 'Content-Type': operation.body?.mediaType ?? '' }),
    },
    body: body === undefined ? null : JSON.stringify(body),
  }
}

function toText(value: Json): string {
  // A large number would be written with an exponent.
  return Number.isInteger(value) ? BigInt(Number(value)).toString() : String(value)
}

/** Returns the values that a service may read where a value was written as text. */
export function readingsOf(value: Json): readonly Json[] {
  if (isObject(value) || Array.isArray(value)) {
    return [value]
  }
  const text = toText(value)
  const isOther = /^(?:-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?|true|false)$/.test(text)
  return isOther ? [text, JSON.parse(text)] : [text]
}
