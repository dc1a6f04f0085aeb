import fc from 'fast-check'
import type { Schema } from './schema.ts'

/** Strings that programs have stumbled over. */
const odd = [
  ...[' ', ' a ', '\t\n', "Robert'); DROP TABLE animals;--", '<b>', '%00', '\\', '"', '\u0000'],
  ...['\uFEFF', '\uFFFF', '\u2028', 'e\u0301', '\u00E9', '\u{1F415}\u200D\u{1F9BA}', '__proto__'],
]
/** What a string may be padded with, to be as long as is wanted. */
const padding = ['\u{1F43E}', 'a', '0', '-', ' ', '_']
const longest = 20_000

export interface StringLimits {
  readonly min: number
  readonly max: number
  readonly matches: (text: string) => boolean
  readonly pattern: RegExp | undefined
}

/** What a schema says of strings; lengths count code points, as JSON Schema has it. */
export function stringLimits({ minLength, maxLength, pattern }: Schema): StringLimits {
  const regExp = typeof pattern === 'string' ? new RegExp(pattern, 'u') : undefined
  return {
    min: Number(minLength ?? 0),
    max: Number(maxLength ?? Infinity),
    matches: (text) => regExp?.test(text) ?? true,
    pattern: regExp,
  }
}

/** Strings that keep the limits; those that reach them among them. */
export function stringsOf(limits: StringLimits): fc.Arbitrary<string> {
  const { min, max } = limits
  return fc.oneof(
    // A long one that fails is tried as a short one.
    { withCrossShrink: true },
    { weight: 6, arbitrary: usualStrings(limits) },
    { weight: 1, arbitrary: stringsAt(limits, min) },
    ...(max > longest ? [] : [{ weight: 1, arbitrary: stringsAt(limits, max) }]),
  )
}

/** Strings that keep the limits and have a length, where the pattern lets them. */
export function stringsAt(limits: StringLimits, length: number): fc.Arbitrary<string> {
  const fits = fitting(limits)
  return usualStrings(limits).map((text) => resized(text, length, fits) ?? text)
}

function usualStrings(limits: StringLimits): fc.Arbitrary<string> {
  const { pattern } = limits
  const fits = fitting(limits)
  const loose = looseStrings(limits)
  const isRare = pattern !== undefined && fc.sample(loose, sampling).filter(fits).length < 25
  return (isRare ? fc.stringMatching(pattern) : loose).filter(fits)
}

function fitting({ min, max, matches }: StringLimits) {
  return (text: string) => matches(text) && lengthOf(text) >= min && lengthOf(text) <= max
}

const sampling = { numRuns: 100, seed: 1 }

function looseStrings({ min, max }: StringLimits): fc.Arbitrary<string> {
  const length = { minLength: min, maxLength: Math.min(max, min + 20) }
  return fc.oneof(
    { weight: 3, arbitrary: fc.string({ unit: 'grapheme-ascii', ...length }) },
    { weight: 2, arbitrary: fc.string({ unit: 'binary', ...length }) },
    { weight: 1, arbitrary: fc.constantFrom(...odd) },
  )
}

/** Strings that are too short, and match the pattern where such ones can be made. */
export function shorterStrings(limits: StringLimits): fc.Arbitrary<string> {
  const { min, matches } = limits
  const shorter = fc.tuple(stringsOf(limits), fc.integer({ min: 0, max: min - 1 }))
  return shorter.map(([text, length]) => resized(text, length, matches) ?? cut(text, length))
}

/** Strings that are too long, and match the pattern where such ones can be made. */
export function longerStrings(limits: StringLimits): fc.Arbitrary<string> {
  const { max, matches } = limits
  const more = fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 50 }))
  return fc
    .tuple(stringsOf(limits), more)
    .map(([text, extra]) => resized(text, max + extra, matches) ?? padded(text, max + extra, 'a'))
}

/** Strings of a right length that the pattern does not match. */
export function unmatchedStrings(limits: StringLimits): fc.Arbitrary<string> {
  const { min, max, matches } = limits
  const strange = fc.constantFrom('\u0000', '\n', ' ', '"', '\u00E9', '\u{1F43E}', '~', '\uD800')
  const spoilt = fc.tuple(stringsOf(limits), strange, fc.nat()).map(([text, character, at]) => {
    const characters = [...text]
    const place = at % (characters.length + 1)
    // It takes the place of another one where the string is as long as may be.
    const removed = characters.length < max ? 0 : 1
    return characters.toSpliced(place, removed, character).join('')
  })
  const fits = (text: string) => lengthOf(text) >= min && lengthOf(text) <= max && !matches(text)
  return fc.oneof(spoilt, looseStrings(limits)).filter(fits)
}

export function lengthOf(text: string): number {
  return [...text].length
}

/** A string made as long as is wanted, of what it has and what `padding` offers. */
function resized(text: string, length: number, fits: (text: string) => boolean) {
  if (lengthOf(text) >= length) {
    const short = cut(text, length)
    return fits(short) ? short : undefined
  }
  const fillers = [...padding, ...new Set([...text].slice(0, 5))]
  return fillers.map((filler) => padded(text, length, filler)).find(fits)
}

function cut(text: string, length: number): string {
  return [...text].slice(0, length).join('')
}

// Before the last character, which patterns are often particular about.
function padded(text: string, length: number, filler: string): string {
  const characters = [...text]
  const missing = Math.max(0, length - characters.length)
  return characters.toSpliced(-1, 0, filler.repeat(missing)).join('')
}
