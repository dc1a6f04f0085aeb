import { type Json, toList } from './description.ts'

/** A value in the place of another one, and the keyword that it is for. */
export type Change = readonly [keyword: string, value: Json]

/** What each keyword has, wherever it is in a schema. */
export type Hints = Readonly<Record<string, readonly Json[]>>

/** Some values of each type. */
const samples = [null, true, 0, 7, 0.5, 1e-7, '1', 'null', [], {}]

/** Strings that have broken programs. */
const odd = [
  ...['', ' ', ' a ', '\t\n', "Robert'); DROP TABLE animals;--", '<b>', '%00', '\\', '"', '\u0000'],
  ...[
    '\uFEFF',
    '\uFFFF',
    '\u2028',
    'e\u0301',
    '\u00E9',
    '\u{1F415}\u200D\u{1F9BA}',
    '\uD800',
    '__proto__',
  ],
]
const strange = ['\u0000', '\n', ' ', '"', '\u00E9', '\u{1F43E}', '~', '\uD800']
/** Values of the usual formats, and some that are nearly. */
const formatted = [
  ...['2024-02-29', '2024-2-9', '1970-01-01', '2024-02-', 'today', '-'],
  ...['2024-02-29T12:30:00Z', '2024-02-29T12:30:00.123+01:00', '2024-02-29T12:30:00', '12:30:00Z'],
  ...['6f1c1c0e-8f0b-4f2e-9f0a-3f1f6c6f8d55', '6f1c1c0e-8f0b-4f2e-9f0a-3f1f6c6f8d5_'],
  ...['a@example.com', 'a@', 'https://example.com/a?b=c', 'example.com', '127.0.0.1', '::1', 'P1D'],
]

/** Returns what a value may be changed to: at and beyond the limits of each keyword, and odd values. */
export function changesOf(value: Json, hints: Hints, random: () => number): readonly Change[] {
  const types = samples.map((sample): Change => ['type', sample])
  if (typeof value === 'number') return [...types, ...numbersFor(hints, random)]
  if (typeof value === 'string') return [...types, ...stringsFrom(value, hints, random)]
  if (typeof value !== 'object' || value === null) return types
  if (Array.isArray(value)) return [...types, ...listsFrom(value, hints)]
  return [...types, ...objectsFrom(Object.entries(value), hints)]
}

/** Returns a change for each number that keywords have. */
function forLimits(
  hints: Hints,
  keywords: readonly string[],
  change: (limit: number) => readonly Json[],
): Change[] {
  return keywords.flatMap((keyword) =>
    (hints[keyword] ?? [])
      .filter((limit) => typeof limit === 'number')
      .flatMap(change)
      .map((value): Change => [keyword, value]),
  )
}

/** Returns a change to each size around the limits of keywords, unless it is out of reach. */
function forSizes(hints: Hints, keywords: readonly string[], resize: (size: number) => Json[]) {
  const isWithinReach = (size: number) => size >= 0 && size <= 20_000
  return forLimits(hints, keywords, (limit) =>
    [limit - 1, limit, limit + 1].filter(isWithinReach).flatMap(resize),
  )
}

function numbersFor(hints: Hints, random: () => number): Change[] {
  return [
    ...forLimits(hints, ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'], (limit) => {
      const nearest = Math.max(Number.MIN_VALUE, Math.abs(limit) * Number.EPSILON)
      const steps = [0, 1, 0.5, nearest, 1e20]
      return steps.flatMap((step) => [limit - step, limit + step])
    }),
    ...forLimits(hints, ['multipleOf'], (step) =>
      [1, 2, 1.5, Math.floor(random() * 1_000)].map((times) => times * step),
    ),
    ...[2 ** 31 - 1, 2 ** 31, -(2 ** 31), -(2 ** 31) - 1].map((value): Change => ['format', value]),
  ]
}

function stringsFrom(text: string, hints: Hints, random: () => number): Change[] {
  const choices = ['enum', 'const'].flatMap((keyword) =>
    (hints[keyword] ?? []).flatMap((choice) =>
      (Array.isArray(choice) ? toList(choice) : [choice]).map(
        (one) => [keyword, `${one}`] as const,
      ),
    ),
  )
  // Many patterns restrict the first and the last character more than others.
  const spoilt = strange.flatMap((character) =>
    [0, Math.floor(random() * text.length), Math.max(0, text.length - 1)].map(
      (at) => text.slice(0, at) + character + text.slice(at + 1),
    ),
  )
  return [
    ...odd.map((other): Change => ['string', other]),
    ...choices.flatMap(([keyword, one]) =>
      [one, one.toUpperCase(), `${one} `, one.slice(0, -1), `${one}s`, ` ${one}`].map(
        (near): Change => [keyword, near],
      ),
    ),
    ...(hints['pattern'] ? spoilt : []).map((other): Change => ['pattern', other]),
    ...(hints['format'] ? formatted : []).map((other): Change => ['format', other]),
    // One character may be one code unit, or two.
    ...forSizes(hints, ['minLength', 'maxLength'], (size) =>
      ['a', '\u{1F43E}', text.slice(0, 1)].map((filler) => resized(text, size, filler)),
    ),
  ]
}

function resized(text: string, length: number, filler: string): string {
  const characters = [...text]
  if (characters.length >= length) return characters.slice(0, length).join('')
  // Before the last character, which patterns often restrict.
  return characters.toSpliced(-1, 0, filler.repeat(length - characters.length)).join('')
}

function listsFrom(list: readonly Json[], hints: Hints): Change[] {
  const [first = null] = list
  const another = (at: number) => {
    if (typeof first === 'number') return first + at
    return typeof first === 'string' ? `${at}`.padEnd(first.length, first) : first
  }
  const sized = (size: number) => [Array.from({ length: size }, (_, at) => list[at] ?? another(at))]
  return [...forSizes(hints, ['minItems', 'maxItems'], sized), ['uniqueItems', [first, first]]]
}

function objectsFrom(
  entries: readonly (readonly [string, Json | undefined])[],
  hints: Hints,
): Change[] {
  const [[, first] = ['', null]] = entries
  // Not by assignment: `__proto__` is a field like others.
  const toChange = (keyword: string, fields: typeof entries): Change => [
    keyword,
    Object.fromEntries(fields),
  ]
  const sized = (size: number) => {
    const more = Array.from({ length: size }, (_, at) => [`more${at}`, first] as const)
    return [Object.fromEntries([...entries, ...more].slice(0, size))]
  }
  const names = entries.map(([name]) => name)
  const required = (hints['required'] ?? []).flatMap((list) => toList(list))
  return [
    ...names.map((left) =>
      toChange(
        'required',
        entries.filter(([name]) => name !== left),
      ),
    ),
    toChange(
      'required',
      entries.filter(([name]) => required.includes(name)),
    ),
    ...unknownNames(names).map((name, at) =>
      toChange('unknown field', [...entries, [name, at % 2 === 0 ? null : 'a']]),
    ),
    ...forSizes(hints, ['minProperties', 'maxProperties'], sized),
  ]
}

/** Returns names that are not among the known ones, some of them nearly. */
export function unknownNames(known: readonly string[]): string[] {
  const close = known
    .slice(0, 3)
    .flatMap((name) => [name.toUpperCase(), `${name}s`, ` ${name}`, `${name}[]`])
  const others = ['id', '__proto__', 'constructor', 'page', '', '~a/b', 'é🐾']
  return [...close, ...others].filter((name) => !known.includes(name))
}
