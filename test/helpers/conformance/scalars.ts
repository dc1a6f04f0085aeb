import fc from 'fast-check'
import { type Json, type JsonObject, toList } from './description.ts'

/** One of the forms that a schema offers, without references and compositions at its top. */
export type Form = JsonObject
export type Labelled = readonly [keyword: string, value: Json]
export type Schema = Json | undefined

export function typesOf({ type, properties, items }: Form): readonly string[] {
  if (type !== undefined) return (typeof type === 'string' ? [type] : toList(type)).map(String)
  if (properties !== undefined) return ['object']
  return items === undefined ? ['null', 'boolean', 'number', 'string'] : ['array']
}

/** Returns a limit of lengths and its neighbours, unless they are out of reach. */
export function around(limit: Schema, most: number): number[] {
  const lengths = [-1, 0, 1].map((more) => Number(limit ?? Number.NaN) + more)
  return lengths.filter((length) => length >= 0 && length <= most)
}

/** Some values of each type. */
const samples: Readonly<Record<string, readonly Json[]>> = {
  null: [null],
  boolean: [true],
  integer: [0, 7],
  number: [0.5, 1e-7],
  string: ['1', 'null'],
  array: [[]],
  object: [{}],
}

/** Returns values that are no objects and no arrays, at and beyond the limits of each keyword. */
export function scalarsOf(form: Form, random: () => number): readonly Labelled[] {
  const types = typesOf(form)
  const isAllowed = (type: string) =>
    types.includes(type) || (type === 'integer' && types.includes('number'))
  const label = form['const'] === undefined ? 'enum' : 'const'
  const choices = form['const'] === undefined ? toList(form['enum']) : [form['const']]
  const all = Object.entries(samples).flatMap(([type, values]) =>
    values.map((value) => [isAllowed(type) ? type : 'type', value] as const),
  )
  if (choices.length > 0) {
    return [...choices, ...choices.flatMap(near), ...all.map(([, value]) => value)].map(
      (value) => [label, value] as const,
    )
  }
  const pool = [
    ...all.filter(([keyword]) => !['array', 'object'].includes(keyword)),
    ...(isAllowed('integer') ? numbersOf(form, random) : []),
    ...(isAllowed('string') ? stringsOf(form, random) : []),
  ]
  return [...new Map(pool.map((one) => [JSON.stringify(one), one] as const)).values()]
}

function near(choice: Json): readonly Json[] {
  if (typeof choice === 'number') return [choice + 1, choice - 1, -choice]
  if (typeof choice !== 'string') return []
  return [choice.toUpperCase(), `${choice} `, choice.slice(0, -1), `${choice}s`, ` ${choice}`]
}

function numbersOf(form: Form, random: () => number): readonly Labelled[] {
  const step = Number(form['multipleOf'] ?? 1)
  const limits = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'] as const
  const atLimits = limits.flatMap((keyword) => {
    const limit = form[keyword]
    if (typeof limit !== 'number') return []
    const nearest = Math.max(Number.MIN_VALUE, Math.abs(limit) * Number.EPSILON)
    const around = [limit, limit - step, limit + step, limit - nearest, limit + nearest]
    return [...around, limit - 1e20, limit + 1e20].map((value) => [keyword, value] as const)
  })
  const multiples = [step, 2 * step, 1.5 * step, step * Math.floor(random() * 1_000)]
  const keyword = form['multipleOf'] === undefined ? 'number' : 'multipleOf'
  const int32 = form['format'] === 'int32' ? [2 ** 31 - 1, 2 ** 31, -(2 ** 31), -(2 ** 31) - 1] : []
  return [
    ...atLimits,
    ...multiples.map((value) => [keyword, value] as const),
    ...int32.map((value) => ['format', value] as const),
  ]
}

/** Strings that have broken programs. */
const odd = [
  ...[' ', ' a ', '\t\n', "Robert'); DROP TABLE animals;--", '<b>', '%00', '\\', '"', '\u0000'],
  ...['\uFEFF', '\uFFFF', '\u2028', 'e\u0301', '\u00E9', '\u{1F415}\u200D\u{1F9BA}', '__proto__'],
]
const strange = ['\u0000', '\n', ' ', '"', '\u00E9', '\u{1F43E}', '~', '\uD800']
/** Values of the usual formats, and some that are nearly. */
const formatted = [
  ...['2024-02-29', '2024-2-9', '1970-01-01', '2024-02-', 'today', '-'],
  ...['2024-02-29T12:30:00Z', '2024-02-29T12:30:00.123+01:00', '2024-02-29T12:30:00', '12:30:00Z'],
  ...['6f1c1c0e-8f0b-4f2e-9f0a-3f1f6c6f8d55', '6f1c1c0e-8f0b-4f2e-9f0a-3f1f6c6f8d5_'],
  ...['a@example.com', 'a@', 'https://example.com/a?b=c', 'example.com', '127.0.0.1', '::1', 'P1D'],
]

function stringsOf(form: Form, random: () => number): readonly Labelled[] {
  const { minLength, maxLength, pattern, format, examples } = form
  const plain = random().toString(36).slice(2)
  const made = typeof pattern === 'string' ? matching(pattern, random) : [plain]
  const bases = [...toList(examples).filter((sample) => typeof sample === 'string'), ...made]
  const [one = plain, other = one] = bases
  // Many patterns restrict the first and the last character more than others.
  const spoilt = strange.flatMap((character) =>
    [0, Math.floor(random() * one.length), Math.max(0, one.length - 1)].map((at) =>
      [one.slice(0, at), character, one.slice(at + 1)].join(''),
    ),
  )
  const limits: readonly Labelled[] = Object.entries({ minLength, maxLength }).flatMap(
    ([keyword, limit]) =>
      around(limit, 20_000)
        // One character may be one code unit, or two.
        .flatMap((length) => [
          resized(one, length, 'a'),
          resized(one, length, '\u{1F43E}'),
          resized(other, length, other.slice(0, 1)),
        ])
        .map((text) => [keyword, text] as const),
  )
  return [
    ...[plain, '', ...bases, ...odd].map((text) => ['string', text] as const),
    ...(pattern === undefined ? [] : spoilt.map((text) => ['pattern', text] as const)),
    ...(format === undefined ? [] : formatted.map((text) => ['format', text] as const)),
    ...limits,
  ]
}

function matching(pattern: string, random: () => number): readonly string[] {
  try {
    const seed = Math.floor(random() * 2 ** 31)
    return fc.sample(fc.stringMatching(new RegExp(pattern, 'u')), { numRuns: 8, seed })
  } catch {
    // Not every pattern can be turned round; the examples of the schema are left.
    return []
  }
}

function resized(text: string, length: number, filler: string): string {
  const characters = [...text]
  if (characters.length >= length) return characters.slice(0, length).join('')
  // Before the last character, which patterns often restrict.
  return characters.toSpliced(-1, 0, filler.repeat(length - characters.length)).join('')
}
