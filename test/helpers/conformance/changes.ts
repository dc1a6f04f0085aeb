import type { Json } from './description.ts'

/** A value in place of another one, and the keyword that it is for. */
export type Change = readonly [keyword: string, value: Json]

/** What each keyword has, wherever it is in a schema. */
export type Hints = Readonly<Record<string, readonly Json[]>>

/** Some values of each type. */
const samples = [null, true, 0, 7, 0.5, 1e-7, '1', 'null', [], {}]

/** Strings that have broken programs. */
const odd = [
  ...['', ' ', ' a ', '\t\n', "Robert'); DROP TABLE animals;--", '<b>', '%00', '\\', '"', '\u0000'],
  ...['\uFEFF', '\uFFFF', '\u2028', 'e\u0301', '\u00E9', '\u{1F415}\u200D\u{1F9BA}'],
  ...['\uD800', '__proto__'],
]
const strange = ['\u0000', '\n', ' ', '"', '\u00E9', '\u{1F43E}', '~', '\uD800']
/** Values of the usual formats, and some that are nearly. */
const formatted = [
  ...['2024-02-29', '2023-02-29', '1970-01-01', '2024-02-', 'today', '-'],
  ...['2024-02-29T12:30:00Z', '2024-02-29T12:30:00.123+01:00', '2024-02-29T12:30:00', '12:30:00Z'],
  ...['6f1c1c0e-8f0b-4f2e-9f0a-3f1f6c6f8d55', '6f1c1c0e-8f0b-4f2e-9f0a-3f1f6c6f8d5_'],
  ...['a@example.com', 'a@', 'https://example.com/a?b=c', 'example.com', '127.0.0.1', '::1', 'P1D'],
]

/** Returns what a value may be changed to: at and beyond the limits of each keyword, and odd values. */
export function changesOf(value: Json, hints: Hints, random: () => number): readonly Change[] {
  let own: Readonly<Record<string, readonly Json[]>> = {}
  if (typeof value === 'number') own = numbersFor(hints, random)
  else if (typeof value === 'string') own = stringsFrom(value, hints, random)
  else if (Array.isArray(value)) own = listsFrom(value, hints)
  else if (typeof value === 'object') own = objectsFrom(Object.entries(value ?? {}), hints)
  return Object.entries({ type: samples, ...own }).flatMap(([keyword, values]) =>
    values.map((one) => [keyword, one] as const),
  )
}

/** Returns values for each number that keywords have, by keyword. */
function forLimits(
  hints: Hints,
  keywords: readonly string[],
  change: (limit: number) => readonly Json[],
) {
  const isNumber = (limit: Json) => typeof limit === 'number'
  return Object.fromEntries(
    keywords.map((keyword) => [keyword, hints[keyword]?.filter(isNumber).flatMap(change) ?? []]),
  )
}

/** Returns values of each size around the limits of keywords, unless it is out of reach. */
function forSizes(hints: Hints, keywords: readonly string[], resize: (size: number) => Json[]) {
  const isWithinReach = (size: number) => size >= 0 && size <= 20_000
  return forLimits(hints, keywords, (limit) =>
    [limit - 1, limit, limit + 1].filter(isWithinReach).flatMap(resize),
  )
}

function numbersFor(hints: Hints, random: () => number) {
  const limits = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum']
  return {
    ...forLimits(hints, limits, (limit) => {
      const nearest = Math.max(Number.MIN_VALUE, Math.abs(limit) * Number.EPSILON)
      return [0, 1, 0.5, nearest, 1e20].flatMap((step) => [limit - step, limit + step])
    }),
    ...forLimits(hints, ['multipleOf'], (step) =>
      [1, 2, 1.5, Math.floor(random() * 1_000)].map((times) => times * step),
    ),
    format: [2 ** 31 - 1, 2 ** 31, -(2 ** 31), -(2 ** 31) - 1],
  }
}

function stringsFrom(text: string, hints: Hints, random: () => number) {
  const near = (choices: readonly Json[] = []) =>
    choices
      .flat()
      .map(String)
      .flatMap((one) => {
        return [one, one.toUpperCase(), `${one} `, one.slice(0, -1), `${one}s`, ` ${one}`]
      })
  // Many patterns restrict the first and the last character more than others.
  const spoilt = strange.flatMap((character) =>
    [0, Math.floor(random() * text.length), Math.max(0, text.length - 1)].map(
      (at) => text.slice(0, at) + character + text.slice(at + 1),
    ),
  )
  return {
    string: odd,
    enum: near(hints['enum']),
    const: near(hints['const']),
    pattern: hints['pattern'] ? spoilt : [],
    format: hints['format'] ? formatted : [],
    // One character may be one code unit, or two.
    ...forSizes(hints, ['minLength', 'maxLength'], (size) =>
      ['a', '\u{1F43E}', text.slice(0, 1)].map((filler) => resized(text, size, filler)),
    ),
  }
}

function resized(text: string, length: number, filler: string): string {
  const characters = [...text]
  if (characters.length >= length) return characters.slice(0, length).join('')
  // Before the last character, which patterns often restrict.
  return characters.toSpliced(-1, 0, filler.repeat(length - characters.length)).join('')
}

function listsFrom(list: readonly Json[], hints: Hints) {
  const [first = null] = list
  const another = (at: number) => {
    if (typeof first === 'number') return first + at
    return typeof first === 'string' ? `${at}`.padEnd(first.length, first) : first
  }
  const sized = (size: number) => [Array.from({ length: size }, (_, at) => list[at] ?? another(at))]
  return { ...forSizes(hints, ['minItems', 'maxItems'], sized), uniqueItems: [[first, first]] }
}

function objectsFrom(entries: readonly (readonly [string, Json | undefined])[], hints: Hints) {
  const [[, first] = ['', null]] = entries
  const names = entries.map(([name]) => name)
  const required = hints['required']?.flat() ?? []
  // Not by assignment: `__proto__` is a field like others.
  const only = (isKept: (name: string) => boolean) =>
    Object.fromEntries(entries.filter(([name]) => isKept(name)))
  return {
    required: [
      ...names.map((left) => only((name) => name !== left)),
      only((name) => required.includes(name)),
    ],
    'unknown field': unknownNames(names).map((name, at) => {
      return Object.fromEntries([...entries, [name, at % 2 === 0 ? null : 'a']])
    }),
    ...forSizes(hints, ['minProperties', 'maxProperties'], (size) => {
      const more = Array.from({ length: size }, (_, at) => [`more${at}`, first] as const)
      return [Object.fromEntries([...entries, ...more].slice(0, size))]
    }),
  }
}

/** Returns names that are not among the known ones, some of them nearly. */
export function unknownNames(known: readonly string[]): string[] {
  const close = known
    .slice(0, 3)
    .flatMap((name) => [name.toUpperCase(), `${name}s`, ` ${name}`, `${name}[]`])
  const others = ['id', '__proto__', 'constructor', 'page', '', '~a/b', 'é🐾']
  return [...close, ...others].filter((name) => !known.includes(name))
}
