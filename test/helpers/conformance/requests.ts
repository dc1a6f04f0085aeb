import { changesOf, samplesOf } from './changes.ts'
import type { Description, Json, Operation, Parameter } from './description.ts'

/** A request in parts, each of which can be changed by itself. */
export interface Draft {
  readonly operation: Operation
  /** The values of parameters as texts: one, or several where it is repeated. */
  readonly texts: ReadonlyMap<Pick<Parameter, 'name' | 'in'>, readonly string[]>
  readonly body?: string | undefined
}

/** The texts of a parameter, and whether they are a value that its schema allows. */
interface TextVariation {
  readonly kind: string
  readonly texts: readonly string[]
  readonly isValid: boolean
}

/** Returns whether a text arrives unchanged, by location. */
const isSendable: Readonly<Record<string, (text: string) => boolean>> = {
  // A segment that is empty or consists of dots is another path.
  path: (text) => !/^\.{0,2}$/.test(text),
  query: () => true,
  // Space around a field is not part of it (RFC 9110, section 5.5).
  header: (text) => /^(?:[\x21-\x7e](?:[\t\x20-\x7e]*[\x21-\x7e])?)?$/.test(text),
  cookie: (text) => /^[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]*$/.test(text),
}

/** Texts that are no values of a type, although some libraries convert them. */
const mistyped: Readonly<Record<string, readonly string[]>> = {
  number: ['1 ', '\u0661', ...'0x10 +5 1. .5 NaN Infinity --1 null -'.split(' ')],
  boolean: ['1', 'TRUE', 'yes', 'null'],
}

/** Returns the texts of a parameter that can be sent, valid ones first. */
export function textVariations(
  description: Description,
  parameter: Parameter,
): readonly TextVariation[] {
  const { schema, in: location, isJoined } = parameter
  const samples = samplesOf(description, parameter).filter(isTextual)
  const isList = Array.isArray(samples[0])
  const [item] = [samples[0]].flat()
  const type = typeof item
  const values = [
    ...samples.map((value) => ['sample', value] as const),
    ...changesOf(description, schema, samples),
    ...(mistyped[type] ?? []).map((text) => ['type', isList ? [text] : text] as const),
  ]
  const found = values.flatMap(([kind, value]): TextVariation[] => {
    if (!isTextual(value) || Array.isArray(value) !== isList) return []
    const items = [value].flat().map(toText)
    // In a text with commas, an item has no comma and is not empty.
    if (isJoined && items.some((text) => text === '' || text.includes(','))) return []
    const texts = isJoined ? [items.join()] : items
    if (!texts.every((text) => isSendable[location]?.(text))) return []
    const received = items.map((text) => readText(text, type))
    const errors = description.requestErrors(schema, isList ? received : received[0])
    // An empty value is none (OpenAPI, "allowEmptyValue").
    return [{ kind, texts, isValid: errors.length === 0 && !texts.includes('') }]
  })
  return found.sort((one, other) => Number(other.isValid) - Number(one.isValid))
}

/** Returns whether a value can be written as text: null and objects cannot, nor can an empty list. */
function isTextual(value: Json): boolean {
  const items = [value].flat()
  return items.length > 0 && items.every((item) => typeof item !== 'object')
}

function toText(value: Json): string {
  // A large number would be written with an exponent.
  const isWhole = typeof value === 'number' && Number.isInteger(value)
  return isWhole ? BigInt(value).toString() : String(value)
}

/** Returns the value of a type that a text is; the text itself if it is none. */
function readText(text: string, type: string): Json {
  if (type === 'number' && /^-?[0-9]+(?:\.[0-9]+)?$/.test(text)) return Number(text)
  if (type === 'boolean' && /^(?:true|false)$/.test(text)) return text === 'true'
  return text
}

/** Returns a valid request to an operation; undefined if a part that is required cannot be made. */
export function draftOf(
  description: Description,
  operation: Operation,
  isFull: boolean,
): Draft | undefined {
  const { body, parameters } = operation
  const texts = parameters
    .filter(({ isRequired, isOpaque }) => isRequired || (isFull && !isOpaque))
    .map((parameter) => {
      const [valid] = textVariations(description, parameter).filter(({ isValid }) => isValid)
      return [parameter, valid?.texts] as const
    })
    .filter(([{ isRequired }, found]) => isRequired || found !== undefined)
  const [sample] = body && (isFull || body.isRequired) ? samplesOf(description, body) : [null]
  if (sample === undefined || texts.some(([, found]) => found === undefined)) return undefined
  return {
    operation,
    texts: new Map(texts.map(([parameter, found]) => [parameter, found ?? []])),
    body: sample === null ? undefined : JSON.stringify(sample),
  }
}

/** Writes a draft as a request. */
export function toRequest({ basePath }: Description, { operation, texts, body }: Draft) {
  const placed = (location: string) =>
    [...texts].flatMap(([parameter, all]) =>
      parameter.in === location ? all.map((text) => [parameter.name, text] as const) : [],
    )
  const path = placed('path').reduce(
    (template, [name, text]) => template.replace(`{${name}}`, () => encodeURIComponent(text)),
    basePath + operation.path,
  )
  const query = placed('query').map((pair) => pair.map(encodeURIComponent).join('='))
  const cookies = placed('cookie').map((pair) => pair.join('='))
  const headers: Record<string, string> = Object.fromEntries(placed('header'))
  if (cookies.length > 0) headers['Cookie'] = cookies.join('; ')
  if (body !== undefined) headers['Content-Type'] = operation.body?.mediaType ?? ''
  return {
    method: operation.method,
    path: query.length === 0 ? path : `${path}?${query.join('&')}`,
    headers,
    body: body ?? null,
  }
}
