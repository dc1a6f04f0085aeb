import fc from 'fast-check'
import type { Json } from '../../support/traffic/contract-index.ts'
import { toObject } from '../../support/traffic/contract-index.ts'
import type { Contract } from './contract.ts'
import type { DescribedParameter } from './described.ts'
import { kept } from './kept.ts'
import { listOf, typesOf } from './schema.ts'

/** The values of a parameter as texts: one, or several where it is a list. */
export type Texts = readonly string[]

/** Texts of a parameter that break a keyword, or only just keep it. */
export interface TextBreak {
  readonly keyword: string
  readonly texts: fc.Arbitrary<Texts>
}

/** Whether a text reaches the other side as it is, by place. */
const isSendable: Readonly<Record<string, (text: string) => boolean>> = {
  // A segment that is empty or consists of dots is another path.
  path: (text) => text.isWellFormed() && !/^\.{0,2}$/.test(text),
  query: (text) => text.isWellFormed(),
  // Space around a field is not part of it (RFC 9110, section 5.5).
  header: (text) => /^(?:[\x21-\x7e](?:[\t\x20-\x7e]*[\x21-\x7e])?)?$/.test(text),
  cookie: (text) => /^[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]*$/.test(text),
}

/** What strings are made of where not every character can be sent. */
const alphabets: Readonly<Record<string, string>> = { header: '^[!-~]*$', cookie: '^[0-9A-Za-z]*$' }

/** Texts that are no value of a type. */
const others: Readonly<Record<string, Texts>> = {
  integer: ['a', '1.5', '1e1', '0x10', '+5', '--1', '1 ', '\u0661', 'null', 'true', 'NaN', '-'],
  number: ['a', '0x10', '+5', '1.', '.5', 'NaN', 'Infinity', '1e', '--1', 'null'],
  boolean: ['1', '0', 'TRUE', 'yes', 'null'],
}

/** Texts that are values of a parameter. */
export function textsOf(contract: Contract, parameter: DescribedParameter): fc.Arbitrary<Texts> {
  const canBeSent = sendable(parameter)
  // An empty value is none, unless a description says otherwise (OpenAPI, "allowEmptyValue").
  const isValue = (texts: Texts) => canBeSent(texts) && !texts.includes('')
  const values = contract.valuesOf(sendableSchema(contract, parameter)).map(toTexts)
  return kept(values, isValue, `the parameter ${parameter.name}`)
}

/** Texts that are only just values of a parameter, by the keyword that they only just keep. */
export function textEdgesOf(contract: Contract, parameter: DescribedParameter): TextBreak[] {
  return contract.edgesOf(sendableSchema(contract, parameter)).map(({ keyword, values }) => ({
    keyword,
    texts: kept(values.map(toTexts), sendable(parameter), `${keyword} of ${parameter.name}`),
  }))
}

/** Texts that are no values of a parameter, each for one reason. */
export function textBreaksOf(contract: Contract, parameter: DescribedParameter): TextBreak[] {
  const hasPattern = contract.flatten(parameter.schema)['pattern'] !== undefined
  const types = typesOf(single(contract, parameter))
  // Any text is a string.
  const wrong = types.length === 1 ? (others[types[0] ?? ''] ?? []) : []
  const misread = () => ({ keyword: 'type', texts: fc.constantFrom(...wrong).map((one) => [one]) })
  const ofValue = contract
    .breaksOf(sendableSchema(contract, parameter))
    .filter(({ keyword }) => keyword !== 'type' && (keyword !== 'pattern' || hasPattern))
    .map(({ keyword, values }) => ({ keyword, texts: values.map(toTexts) }))
  return [...(wrong.length === 0 ? [] : [misread()]), ...ofValue].map(({ keyword, texts }) => ({
    keyword,
    texts: kept(texts, sendable(parameter), `${keyword} of the parameter ${parameter.name}`),
  }))
}

function single(contract: Contract, { schema }: DescribedParameter) {
  const flat = contract.flatten(schema)
  return flat['items'] === undefined ? flat : contract.flatten(flat['items'])
}

/** The schema of a parameter, whose strings can all be sent. */
function sendableSchema({ flatten }: Contract, { in: place, schema }: DescribedParameter): Json {
  const flat = flatten(schema)
  const alphabet = alphabets[place]
  return alphabet === undefined ? flat : { pattern: alphabet, ...flat }
}

function sendable({ in: place }: DescribedParameter) {
  return (texts: Texts) =>
    texts.length > 0 && texts.every((text) => isSendable[place]?.(text) === true)
}

function toTexts(value: Json): Texts {
  if (Array.isArray(value)) return listOf(value).flatMap(toTexts)
  if (value === null || typeof value === 'object') {
    throw new Error(`The conformance run cannot write ${JSON.stringify(toObject(value))} as text.`)
  }
  const isWhole = typeof value === 'number' && Number.isInteger(value)
  // A number would be written with an exponent where it is large.
  return [isWhole ? BigInt(value).toString() : String(value)]
}
