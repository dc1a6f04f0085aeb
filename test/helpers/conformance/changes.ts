import { candidatesFor } from '../../../server/mock/mock.ts'
import { type Description, type Json, type Schema, toObject } from './description.ts'

/** A value with a change at one location, and the keyword or the kind of value that it is for. */
export type Change = readonly [kind: string, value: Json]

/** The values that each keyword has in a schema, and in all that is part of it. */
type Hints = Readonly<Record<string, readonly Json[]>>

/** A schema, and the examples beside it. */
interface Described {
  readonly schema: Schema
  readonly examples: readonly Json[]
}

const ofEachType = [null, true, 7, 0.5, 'a', [], {}]
/** Strings that have broken programs, and values of usual formats that are nearly valid. */
const oddStrings = [
  '',
  ' a ',
  '\t\n',
  '\u0001',
  '\u{1F43E}',
  '__proto__',
  "Robert'); DROP TABLE tools;--",
  'a'.repeat(3_000),
  '2024-02-29',
  '2023-02-29',
  '2024-02-29T12:30:00Z',
  '2024-02-29T12:30:00',
  '6f1c1c0e-8f0b-4f2e-9f0a-3f1f6c6f8d5_',
  'a@',
  'example.com',
]

/** Returns valid values of a schema: its examples, those beside it, and samples as the mock makes them. */
export function samplesOf(description: Description, described: Described): Json[] {
  const samples = [...validValues(description, described)]
  const fuller = samples.map((sample) => withMoreFields(description, described.schema, sample))
  const byText = [...fuller, ...samples].map((sample) => [JSON.stringify(sample), sample] as const)
  return [...new Map(byText).values()]
}

function* validValues(description: Description, { schema, examples }: Described): Generator<Json> {
  for (const candidate of candidatesFor(description.root, toObject(schema), examples)) {
    const value = withoutReadOnly(description, schema, candidate)
    if (value !== undefined && isValid(description, schema, value)) yield value
  }
}

function isValid({ requestErrors }: Description, schema: Schema, value: Json): boolean {
  return requestErrors(schema, value).length === 0
}

/** Returns an object with all fields that its schema allows in it, as far as they are found. */
function withMoreFields(description: Description, schema: Schema, sample: Json): Json {
  let whole = sample
  for (const properties of hintsOf(description, schema)['properties'] ?? []) {
    for (const [name, property] of Object.entries(toObject(properties))) {
      if (Array.isArray(whole) || typeof whole !== 'object' || whole === null) return whole
      if (Object.hasOwn(whole, name)) continue
      const { value } = validValues(description, { schema: property, examples: [] }).next()
      const more = { ...toObject(whole), [name]: value ?? null }
      if (isValid(description, schema, more)) whole = more
    }
  }
  return whole
}

/** Returns a copy of a value without the properties that are for responses alone. */
function withoutReadOnly(
  { requestErrors }: Description,
  schema: Schema,
  value: unknown,
): Json | undefined {
  const paths = requestErrors(schema, value)
    .filter(({ keyword }) => keyword === 'readOnly')
    .map(({ instancePath }) => instancePath)
  const remove = (node: unknown, at: string): Json | undefined => {
    if (typeof node !== 'object' || node === null) return node as Json
    const kept = Object.entries(node)
      .filter(([name]) => !paths.includes(`${at}/${name}`))
      .map(([name, child]) => [name, remove(child, `${at}/${name}`)] as const)
    return Array.isArray(node) ? kept.map(([, item = null]) => item) : Object.fromEntries(kept)
  }
  return remove(value, '')
}

/** Returns the values with each location changed in many ways; they may be valid or not. */
export function changesOf(
  description: Description,
  schema: Schema,
  samples: readonly Json[],
): Change[] {
  const hints = hintsOf(description, schema)
  const changed = new Set<string>()
  const found = new Map<string, Change>()
  for (const sample of samples) {
    for (const { at, value } of locationsIn(sample)) {
      // An object with other fields may be one of another form.
      const fields = Array.isArray(value) ? [value.length > 0] : Object.keys(toObject(value))
      const shape = `${at.map((name) => (/^\d+$/.test(name) ? '*' : name))} ${typeof value} ${fields}`
      if (changed.has(shape)) continue
      changed.add(shape)
      for (const [kind, other] of [...ofType(value, hints), ...toKind('type', ofEachType)]) {
        const whole = withValue(sample, at, other)
        found.set(JSON.stringify(whole), [kind, whole])
      }
    }
  }
  return [...found.values()]
}

const toKind = (kind: string, values: readonly Json[]): Change[] =>
  values.map((value) => [kind, value])

function ofType(value: Json, hints: Hints): Change[] {
  if (typeof value === 'number') return ofNumber(hints)
  if (typeof value === 'string') return ofString(value, hints)
  if (Array.isArray(value)) return ofList(value, hints)
  return typeof value === 'object' && value !== null ? ofObject(toObject(value), hints) : []
}

/** Returns values at each limit that some keywords have, one below and one above it. */
function atLimits(hints: Hints, keywords: readonly string[], make: (limit: number) => Json[]) {
  return keywords.flatMap((keyword) => {
    const limits = (hints[keyword] ?? []).filter((limit) => typeof limit === 'number')
    const around = limits.flatMap((limit) => [limit - 1, limit, limit + 1])
    return toKind(keyword, around.flatMap(make))
  })
}

/** Returns values of each size at and around the limits that some keywords have. */
function atSizes(hints: Hints, keywords: readonly string[], make: (size: number) => Json[]) {
  return atLimits(hints, keywords, (size) => (size < 0 || size > 10_000 ? [] : make(size)))
}

function ofNumber(hints: Hints): Change[] {
  const limits = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum']
  return [
    ...atLimits(hints, limits, (limit) => [limit, limit + 0.5]),
    ...atLimits(hints, ['multipleOf'], (step) => [2 * step, 1.5 * step]),
  ]
}

function ofString(text: string, hints: Hints): Change[] {
  const words = [...(hints['enum'] ?? []).flat(), ...(hints['const'] ?? [])].map(String)
  const near = words.flatMap((word) => [word, word.toUpperCase(), `${word} `, `${word}s`])
  // Many patterns restrict the first and the last character more than others.
  const spoilt = ['\n', '\u{1F43E}', '~', ' '].flatMap((character) => [
    character + text.slice(1),
    text.slice(0, -1) + character,
  ])
  return [
    ...toKind('string', oddStrings),
    ...toKind('enum', near),
    ...toKind('pattern', spoilt),
    // One character may be one code unit, or two.
    ...atSizes(hints, ['minLength', 'maxLength'], (size) => [
      'a'.repeat(size),
      '\u{1F43E}'.repeat(size),
    ]),
  ]
}

function ofList(list: readonly Json[], hints: Hints): Change[] {
  const [first = null] = list
  const another = (at: number) => {
    if (typeof first === 'number') return first + at
    return typeof first === 'string' ? `${at}` : first
  }
  const resize = (size: number) => [
    Array.from({ length: size }, (_, at) => list[at] ?? another(at)),
  ]
  return [
    ...atSizes(hints, ['minItems', 'maxItems'], resize),
    ...toKind('uniqueItems', [[first, first]]),
  ]
}

function ofObject(object: { readonly [name: string]: Json | undefined }, hints: Hints): Change[] {
  // Not by assignment: `__proto__` is a field like others.
  const entries = Object.entries(object)
  const unknown = ['unknown', '__proto__', 'constructor', '~a/b', ''].map((name) =>
    Object.fromEntries([...entries, [name, 'a']]),
  )
  const resize = (size: number) => {
    const more = Array.from({ length: size }, (_, at) => [`more${at}`, entries[0]?.[1] ?? 'a'])
    return [Object.fromEntries([...entries, ...more].slice(0, size))]
  }
  return [
    ...toKind(
      'required',
      entries.map(([left]) => Object.fromEntries(entries.filter(([name]) => name !== left))),
    ),
    ...toKind('unknown field', unknown),
    ...atSizes(hints, ['minProperties', 'maxProperties'], resize),
  ]
}

function hintsOf({ resolve }: Description, schema: Schema): Hints {
  // A property may be called `constructor`.
  const hints: Record<string, Json[]> = Object.create(null)
  const seen = new Set<Schema>()
  const collect = (node: Schema): void => {
    if (typeof node !== 'object' || node === null || seen.has(node)) return
    seen.add(node)
    for (const [keyword, value = null] of Object.entries(node)) {
      hints[keyword] = [...(hints[keyword] ?? []), value]
      collect(value)
    }
    collect(resolve(node))
  }
  collect(schema)
  return hints
}

interface Location {
  readonly at: readonly string[]
  readonly value: Json
}

function* locationsIn(value: Json, at: readonly string[] = []): Generator<Location> {
  yield { at, value }
  if (typeof value !== 'object' || value === null) return
  for (const [name, inner = null] of Object.entries(value)) yield* locationsIn(inner, [...at, name])
}

function withValue(whole: Json, [name, ...rest]: readonly string[], changed: Json): Json {
  if (name === undefined) return changed
  const entries = Object.entries(whole ?? {}).map(([key, inner]) => {
    return [key, key === name ? withValue(inner, rest, changed) : inner] as const
  })
  return Array.isArray(whole) ? entries.map(([, item]) => item) : Object.fromEntries(entries)
}

/** Returns the locations that are wrong in a value, as JSON Pointers (RFC 6901); none if it is valid. */
export function wrongLocations(
  { requestErrors }: Description,
  schema: Schema,
  value: Json,
): string[] {
  const errors = requestErrors(schema, value)
  // The errors in the forms of a choice say more than that none of them fits.
  const own = errors.filter(({ keyword }) => !['oneOf', 'anyOf'].includes(keyword))
  return (own.length > 0 ? own : errors).map(({ instancePath, params }) => {
    const { missingProperty, additionalProperty, unevaluatedProperty } = params
    const name: unknown = missingProperty ?? additionalProperty ?? unevaluatedProperty
    if (typeof name !== 'string') return instancePath
    return `${instancePath}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
  })
}
