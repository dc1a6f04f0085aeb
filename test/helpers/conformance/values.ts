import type { ErrorObject } from 'ajv/dist/2020.js'
import { createCompiler } from '../../../server/contract/ajv.ts'
import { toDocuments } from '../../../server/description/documents.ts'
import { candidatesFor, createSchemaReader } from '../../../server/mock/samples.ts'
import type { SchemaReader } from '../../../server/mock/schema-values.ts'
import {
  type Description,
  isObject,
  type Json,
  type Schema,
  toList,
  toObject,
} from './description.ts'

/** Values to try in every place. */
const ofEachType: readonly Json[] = [null, true, 7, 0.5, 'a', [], {}]
/** Values to try in place of strings, numbers and booleans. */
const strings = [
  // Strings that have broken programs.
  ...['', ' a ', '\t\n', '\u0001', '\u{1F43E}', '__proto__', 'a'.repeat(3_000)],
  "Robert'); DROP TABLE tools;--",
  // Values of usual formats that are nearly valid.
  ...['2024-02-29', '2023-02-29', '2024-02-29T12:30:00Z', '2024-02-29T12:30:00'],
  ...['6f1c1c0e-8f0b-4f2e-9f0a-3f1f6c6f8d5_', 'a@', 'example.com'],
  // Texts that are no numbers or booleans, although some libraries convert them.
  ...['1 ', '\u0661', '0x10', '+5', '1.', '.5', 'NaN', 'Infinity', '--1', '-', '1', 'TRUE', 'yes'],
]

const readers = new WeakMap<Description, SchemaReader>()

function createReader({ root, requestErrors }: Description): SchemaReader {
  const documents = toDocuments(root)
  return {
    ...createSchemaReader(documents, 'request', createCompiler(documents, 'request')),
    // What is valid is decided by code that the service does not share.
    isValid: (schema, value) => requestErrors(schema as Schema, value).length === 0,
  }
}

/** Yields valid values of a schema: the examples, those of its own, and samples as the mock makes them. */
function* validValues(description: Description, schema: Schema, examples: readonly Json[]) {
  const { requestErrors } = description
  const reader = readers.getOrInsertComputed(description, createReader)
  for (const candidate of candidatesFor(reader, toObject(schema), examples)) {
    const value = withoutReadOnly(candidate as Json, requestErrors(schema, candidate))
    if (value !== undefined && requestErrors(schema, value).length === 0) {
      yield value
    }
  }
}

/** Returns a value without the properties that requests must not have, by the errors of its validation. */
function withoutReadOnly(candidate: Json, errors: readonly ErrorObject[]): Json | undefined {
  let value: Json | undefined = candidate
  for (const { keyword, instancePath } of errors) {
    if (keyword === 'readOnly') {
      const [, ...names] = instancePath.split('/')
      value = withValue(value, names, undefined)
    }
  }
  return value
}

/** Returns valid values of a schema, the most complete ones first. */
export function samplesOf(description: Description, owner: object): Json[] {
  const { resolve, requestErrors } = description
  const { schema, example, examples } = toObject(owner)
  const namedExamples = Object.values(toObject(examples)).map((each) => resolve(each)['value'])
  const stated = [example, ...namedExamples].filter((value) => value !== undefined)
  const samples = [...validValues(description, schema, stated)]
  const fields = nodesIn(description, schema)
    .flatMap((node) => Object.entries(toObject(toObject(node)['properties'])))
    .map(([name, field]) => [name, validValues(description, field, []).next().value] as const)

  const complete = (sample: Json) => {
    let completed = sample
    for (const [name, value = null] of fields) {
      const extended = { [name]: value, ...toObject(completed) }
      if (isObject(completed) && requestErrors(schema, extended).length === 0) {
        completed = extended
      }
    }
    return completed
  }
  const byText = [...samples.map(complete), ...samples].map((sample) => {
    return [JSON.stringify(sample), sample] as const
  })
  return [...new Map(byText).values()]
}

/** Returns the nodes of a schema, with those that its references lead to. */
function nodesIn({ resolve }: Description, schema: Schema): Json[] {
  const nodes = new Set<Json>()
  const collect = (node: Schema): void => {
    if (typeof node !== 'object' || node === null || nodes.has(node)) {
      return
    }
    nodes.add(node)
    for (const child of [...Object.values(node), resolve(node)]) {
      collect(child)
    }
  }
  collect(schema)
  return [...nodes]
}

/** Returns a function that returns values to put in the place of a value; they may be valid or not. */
export function createVariants(description: Description, schema: Schema) {
  const nodes = nodesIn(description, schema).map(toObject)
  /** Returns the numbers that keywords have in the schema, one less and one more. */
  const limits = (keywords: RegExp) => {
    const entries = nodes.flatMap((node) => Object.entries(node))
    const values = entries.map(([keyword, value]) => (keywords.test(keyword) ? value : undefined))
    const numbers = values.filter((value) => typeof value === 'number')
    return [...new Set(numbers.flatMap((value) => [value - 1, value, value + 1]))]
  }
  const sizes = (keywords: RegExp) => limits(keywords).filter((size) => size >= 0 && size < 10_000)
  const numbers = limits(/imum$|^multipleOf$/).flatMap((limit) => {
    return [limit, limit + 0.5, 1.5 * limit]
  })
  const words = nodes.flatMap((node) => [...toList(node['enum']), node['const'] ?? []].map(String))
  const texts = [
    ...words.flatMap((word) => [word, word.toUpperCase(), `${word} `, `${word}s`]),
    // One character may be one code unit, or two.
    ...sizes(/Length$/).flatMap((size) => ['a'.repeat(size), '\u{1F43E}'.repeat(size)]),
  ]
  const lengths = sizes(/Items$/)
  const counts = sizes(/Properties$/)

  function ofType(value: Json): readonly Json[] {
    if (typeof value === 'number') {
      return numbers
    }
    if (typeof value === 'string') {
      // Many patterns restrict the first and the last character more than others.
      const spoilt = ['\n', '\u{1F43E}', '~', ' '].flatMap((character) => {
        return [character + value.slice(1), value.slice(0, -1) + character]
      })
      return [...texts, ...spoilt]
    }
    if (Array.isArray(value)) {
      const [first = null] = value
      const other = (at: number) => (typeof first === 'number' ? first + at : `${at}`)
      const item = (at: number) => value[at] ?? (typeof first === 'object' ? first : other(at))
      const lists = lengths.map((length) => Array.from({ length }, (_, at) => item(at)))
      return [[first, first], ...lists]
    }
    if (!isObject(value)) {
      return []
    }
    // An object is made of entries, because an assignment to `__proto__` adds no field.
    const entries = Object.entries(value)
    const more = Array.from({ length: 1 + Math.max(0, ...counts) }, (_, at) => {
      return [`more${at}`, entries[0]?.[1] ?? 'a'] as const
    })
    const unknown = ['unknown', '__proto__', 'constructor', '~a/b', '']
    return [
      ...entries.map(([left]) => entries.filter(([name]) => name !== left)),
      ...unknown.map((name) => [...entries, [name, 'a'] as const]),
      ...counts.map((count) => [...entries, ...more].slice(0, count)),
    ].map((fields) => Object.fromEntries(fields))
  }

  return (value: Json): readonly Json[] => [
    ...ofEachType,
    ...(typeof value === 'object' ? [] : strings),
    ...ofType(value),
  ]
}

export interface Location {
  readonly at: readonly string[]
  readonly value: Json
}

/** Yields every location in a value. */
export function* locationsIn(value: Json, at: readonly string[] = []): Generator<Location> {
  yield { at, value }
  if (typeof value !== 'object' || value === null) {
    return
  }
  for (const [name, inner = null] of Object.entries(value)) {
    yield* locationsIn(inner, [...at, name])
  }
}

/** Returns a copy with another value at one location, or without it. */
export function withValue(
  whole: Json | undefined,
  [name, ...rest]: readonly string[],
  value: Json | undefined,
): Json | undefined {
  if (name === undefined) {
    return value
  }
  if (Array.isArray(whole)) {
    const items: readonly Json[] = whole
    return items.with(Number(name), withValue(items[Number(name)], rest, value) ?? null)
  }
  const { [name]: inner, ...otherMembers } = toObject(whole)
  const changed = withValue(inner, rest, value)
  return changed === undefined ? otherMembers : { ...otherMembers, [name]: changed }
}
