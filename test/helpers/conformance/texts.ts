import { type Json, type Parameter, toList } from './description.ts'
import type { Values } from './values.ts'

/** Whether a text arrives unchanged, by location. */
const isSendable: Readonly<Record<string, (text: string) => boolean>> = {
  // A segment that is empty or consists of dots is another path.
  path: (text) => text.isWellFormed() && !/^\.{0,2}$/.test(text),
  query: (text) => text.isWellFormed(),
  // Space around a field is not part of it (RFC 9110, section 5.5).
  header: (text) => /^(?:[\x21-\x7e](?:[\t\x20-\x7e]*[\x21-\x7e])?)?$/.test(text),
  cookie: (text) => /^[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]*$/.test(text),
}

/** Texts that are not values of a type. */
const mistyped: Readonly<Record<string, readonly string[]>> = {
  number: ['1 ', '\u0661', ...'a 0x10 +5 1. .5 NaN Infinity 1e --1 null -'.split(' ')],
  boolean: ['1', '0', 'TRUE', 'yes', 'null'],
}

/** Returns the texts of a parameter that can be sent: one, or several where it is repeated. */
export function textVariations(values: Values, parameter: Parameter) {
  const { schema, in: location, isJoined, isJson, isDeep } = parameter
  // None are made; tests of their own send them.
  if (isDeep) return []
  if (isJson) {
    const texts = values.samplesOf(schema).map((value) => JSON.stringify(value))
    return texts.map((text) => ({ keyword: 'value', texts: [text], isValid: true }))
  }
  // No text is null or an object.
  const samples = values
    .samplesOf(schema)
    .filter((value) => [value].flat().every((one) => typeof one !== 'object'))
  const isList = Array.isArray(samples[0])
  const [item = ''] = isList ? toList(samples[0]) : samples
  // What is no value of one type may be one of another.
  const isString = (texts: readonly string[]) =>
    [texts, ...texts].some((value) => values.accepts(schema, value))
  const valid = samples.map((value) => ({ keyword: 'value', value, wrongAt: [] }))
  const all = [...valid, ...values.variationsOf(schema)].flatMap(({ keyword, value, wrongAt }) => {
    const items = Array.isArray(value) ? toList(value) : [value]
    // Any text is a string, so that a value of another type would be another value.
    const isOther =
      Array.isArray(value) !== isList || items.some((one) => typeof one !== typeof item)
    const texts = items.map(toText)
    const isValid = wrongAt.length === 0
    // An empty value is none, unless a description says otherwise (OpenAPI, "allowEmptyValue").
    if (isOther || texts.length === 0 || (isValid ? texts.includes('') : isString(texts))) return []
    if (!isJoined) return [{ keyword, texts, isValid }]
    // Space around an item of a header is not part of it (RFC 9110, section 5.6.1).
    const isOneItem = (text: string) =>
      !text.includes(',') && (location !== 'header' || text === text.trim())
    return !texts.every(isOneItem) ? [] : [{ keyword, texts: [texts.join()], isValid }]
  })
  // The service may accept any spelling of the numbers in a list.
  const other = (mistyped[typeof item] ?? []).filter((text) => !isList || !/[\d\u0661]/.test(text))
  const wrong = other
    .map((text) => ({ keyword: 'type', texts: [text], isValid: false }))
    .filter(({ texts }) => !isString(texts))
  return [...all, ...wrong].filter(
    ({ texts }) => texts.length > 0 && texts.every((text) => isSendable[location]?.(text)),
  )
}

/** Returns valid texts of a parameter; undefined where none is found. */
export function validTexts(values: Values, parameter: Parameter): readonly string[] | undefined {
  return values.pick(textVariations(values, parameter).filter(({ isValid }) => isValid))?.texts
}

function toText(value: Json): string {
  // A large number would be written with an exponent.
  const isWhole = typeof value === 'number' && Number.isInteger(value)
  return isWhole ? BigInt(value).toString() : String(value)
}
