import { isXml, kindOf, sentType, writeBody } from './content.ts'
import {
  type Description,
  isObject,
  type Json,
  type JsonObject,
  type Operation,
  type Parameter,
  toObject,
} from './description.ts'

/** A request as a JSON object: the values of parameters by location and name, and the body. */
export type Tree = JsonObject

const locations = ['path', 'query', 'headers', 'cookies']

/** Returns the schema of a whole request, so that the errors of Ajv are where `details` have them. */
export function requestSchema(
  { parameters, body }: Operation,
  { strictness }: Pick<Description, 'strictness'>,
): JsonObject {
  const isUnknownIgnored = strictness.unknownQueryParameters === 'ignore'
  const inLocation = (location: string) => {
    const ofLocation = parameters.filter(({ at }) => at[0] === location)
    const schemas = ofLocation.map((parameter) => [parameter.at[1], valueSchema(parameter)])
    const required = ofLocation.filter((each) => each['required'] === true).map(({ at }) => at[1])
    const isOpen = isUnknownIgnored || ofLocation.some(takesOthers)
    const additionalProperties = location !== 'query' || isOpen
    return [location, { properties: Object.fromEntries(schemas), required, additionalProperties }]
  }
  return {
    properties: {
      ...Object.fromEntries(locations.map(inLocation)),
      body: bodySchema(body),
    },
    required: body?.required === true ? ['body'] : [],
  }
}

/** Returns the schema of a body as it is validated: bytes, streams and XML have none. */
function bodySchema(body: Operation['body']): Json {
  const { mediaType = '', media = {} } = body ?? {}
  const { schema = true } = media
  const kind = kindOf(mediaType)
  const isText = kind === 'text' && !isXml(mediaType) && toObject(schema)['type'] === 'string'
  return isText || ['json', 'form', 'multipart'].includes(kind) ? schema : true
}

/** Returns the schema of the value of a parameter. An empty query parameter has none (OpenAPI, "allowEmptyValue"). */
function valueSchema(parameter: Parameter): JsonObject {
  const schema = schemaOf(parameter)
  const isInQuery = parameter.at[0] === 'query' && parameter['allowEmptyValue'] !== true
  return { allOf: [schema], ...(isInQuery && { not: { const: '' } }) }
}

/** Returns the schema of a parameter, in `schema` or in `content`. */
export function schemaOf({ schema, content }: Parameter): Json {
  const [media] = Object.values(toObject(content))
  return schema ?? toObject(media)['schema'] ?? true
}

/** Returns whether a parameter is an object whose members are sent by their own names, and may have any. */
function takesOthers(parameter: Parameter): boolean {
  const { type, additionalProperties } = toObject(schemaOf(parameter))
  const isOpenObject = [type].flat().includes('object') && additionalProperties !== false
  const { style, isExploded } = formOf(parameter)
  return isOpenObject && isExploded && style === 'form'
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

type Pair = readonly [name: string, text: string]

/**
 * Returns the names and texts that a parameter is sent as; undefined if it cannot be sent, such as null, or would
 * be received as something else.
 */
export function pairsOf(
  { parameters }: Operation,
  [location, name]: readonly [location: string, name: string],
  value: Json = null,
): readonly Pair[] | undefined {
  const parameter = parameters.find(({ at }) => at[0] === location && at[1] === name)
  const pairs = writeValue(parameter ?? { at: [location, name] }, value)
  const isReceived = pairs?.every(([sentName, text]) => arrives[location]?.(text, sentName))
  return isReceived ? pairs : undefined
}

function writeValue(parameter: Parameter, value: Json): readonly Pair[] | undefined {
  const { at, content } = parameter
  const [location, name] = at
  if (content !== undefined) {
    return [[name, JSON.stringify(value)]]
  }
  const form = formOf(parameter)
  if (Array.isArray(value)) {
    return writeItems(name, value, form)
  }
  if (isObject(value)) {
    const properties = toObject(toObject(schemaOf(parameter))['properties'])
    const hasUnknown = Object.keys(value).some((key) => !Object.hasOwn(properties, key))
    // An unknown member would be received as another parameter, which the operation does not have.
    const isOther = form.isApart && form.style !== 'deepObject' && hasUnknown
    return isOther ? undefined : writeMembers(name, value, form)
  }
  // An empty value that is allowed means that the parameter has no value.
  const isNone = value === '' && location === 'query' && parameter['allowEmptyValue'] === true
  return value === null || isNone ? undefined : [[name, mark(form, name) + toText(value)]]
}

/** How the arrays and objects of a parameter are written. */
interface Form {
  readonly style: string
  readonly isExploded: boolean
  /** Whether each item and member is sent by itself. */
  readonly isApart: boolean
}

function formOf(parameter: Parameter): Form {
  const [location] = parameter.at
  const usual = location === 'query' || location === 'cookies' ? 'form' : 'simple'
  const style = String(parameter['style'] ?? usual)
  const isExploded = Boolean(parameter['explode'] ?? (style === 'form' || style === 'cookie'))
  const isApart = isExploded && !['simple', 'label', 'matrix'].includes(style)
  return { style, isExploded, isApart }
}

/** Returns what is in front of a value, by its style. */
function mark({ style }: Form, name: string): string {
  return { label: '.', matrix: `;${name}=` }[style] ?? ''
}

function writeItems(name: string, items: readonly Json[], form: Form): readonly Pair[] | undefined {
  if (items.length === 0 || items.some((item) => typeof item === 'object')) {
    return undefined
  }
  const texts = items.map(toText)
  if (form.isApart) {
    return texts.length === 1 && texts[0] === '' ? undefined : texts.map((text) => [name, text])
  }
  return joinTexts(name, texts, form, `;${name}=`)
}

function writeMembers(name: string, value: JsonObject, form: Form): readonly Pair[] | undefined {
  const members = Object.entries(value)
  const isFlat = members.every(([, member]) => typeof member !== 'object')
  if (members.length === 0 || !isFlat) {
    return undefined
  }
  const pairs = members.map(([key, member = null]) => [key, toText(member)] as const)
  if (form.style === 'deepObject') {
    return pairs.map(([key, text]) => [`${name}[${key}]`, text])
  }
  if (form.isApart) {
    return pairs.some(([, text]) => text === '') ? undefined : pairs
  }
  const isPaired = form.isExploded
  const texts = isPaired ? pairs.map((pair) => pair.join('=')) : pairs.flat()
  const isClear = !isPaired || !pairs.flat().some((text) => text.includes('='))
  return isClear ? joinTexts(name, texts, form, ';') : undefined
}

/** Returns texts as one; undefined if one is empty, or has the separator. */
function joinTexts(
  name: string,
  texts: readonly string[],
  form: Form,
  exploded: string,
): readonly Pair[] | undefined {
  const { style, isExploded } = form
  const separators: Readonly<Record<string, string>> = {
    spaceDelimited: ' ',
    pipeDelimited: '|',
    ...(isExploded && { label: '.', matrix: exploded }),
  }
  const separator = separators[style] ?? ','
  const canBeJoined = texts.every(
    (text) =>
      text !== '' && text === text.trim() && !/[,;]/.test(text) && !text.includes(separator),
  )
  const start = isExploded && style === 'matrix' ? exploded : mark(form, name)
  return canBeJoined ? [[name, start + texts.join(separator)]] : undefined
}

/** Writes a request; returns undefined if it cannot be sent. */
export function toRequest({ basePath }: Description, operation: Operation, tree: Tree) {
  if (!locations.every((location) => isObject(tree[location]))) {
    return undefined
  }
  const parameters = locations.flatMap((location) => {
    return Object.entries(toObject(tree[location])).map(([name, value]) => {
      return { location, pairs: pairsOf(operation, [location, name], value) }
    })
  })
  if (parameters.some(({ pairs }) => pairs === undefined)) {
    return undefined
  }

  const pairsIn = (wanted: string) => {
    const inLocation = parameters.filter(({ location }) => location === wanted)
    return inLocation.flatMap(({ pairs = [] }) => pairs)
  }
  const path = pairsIn('path').reduce(
    (template, [name, text]) => template.replace(`{${name}}`, () => withSeparators(text)),
    basePath + operation.path,
  )
  const query = pairsIn('query').map(([name, text]) => {
    return `${encodeURIComponent(name)}=${withSeparators(text)}`
  })
  const cookies = pairsIn('cookies').map((pair) => pair.join('='))
  const target = query.length === 0 ? path : `${path}?${query.join('&')}`
  // A parameter of the path is missing, or the target is too long.
  if (path.includes('{') || target.length > 8_000) {
    return undefined
  }

  const { body } = tree
  const { mediaType = '', media = {} } = operation.body ?? {}
  const content = body === undefined ? null : writeBody(mediaType, media, body)
  if (content === undefined) {
    return undefined
  }
  return {
    method: operation.method,
    path: target,
    headers: {
      ...Object.fromEntries(pairsIn('headers')),
      ...(cookies.length > 0 && { Cookie: cookies.join('; ') }),
      ...(body !== undefined && { 'Content-Type': sentType(mediaType) }),
    },
    body: content,
  }
}

/** Encodes a text; what separates items must not be encoded, and items have none of it. */
function withSeparators(text: string): string {
  return encodeURIComponent(text).replaceAll(/%(?:2C|3B|3D)/g, decodeURIComponent)
}

function toText(value: Json): string {
  // A large number would be written with an exponent.
  return Number.isInteger(value) ? BigInt(Number(value)).toString() : String(value)
}

/** Returns whether the parameter that a place is in is sent as JSON. */
export function isSentAsJson({ parameters }: Operation, at: readonly string[]): boolean {
  const [location, name] = at
  const parameter = parameters.find((each) => each.at[0] === location && each.at[1] === name)
  return parameter?.['content'] !== undefined
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
