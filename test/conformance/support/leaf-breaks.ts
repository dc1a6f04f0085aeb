import fc from 'fast-check'
import type { Json } from '../../support/traffic/contract-index.ts'
import type { Break } from './break.ts'
import { formats, misformatted } from './formats.ts'
import { numbersAbove, numbersBelow, numbersBetween } from './numbers.ts'
import { listOf, type Schema } from './schema.ts'
import {
  longerStrings,
  shorterStrings,
  stringLimits,
  stringsOf,
  unmatchedStrings,
} from './strings.ts'

/** One value of each type, or a few. */
const samples: Readonly<Record<string, fc.Arbitrary<Json>>> = {
  null: fc.constant(null),
  boolean: fc.boolean(),
  integer: fc.constantFrom(0, 1, -1, 7),
  number: fc.constantFrom(0.5, -1.25, 1e-7),
  string: fc.constantFrom('', '1', 'true', 'null', 'a'),
  array: fc.constantFrom([], [1], [null]),
  object: fc.constantFrom({}, { value: 1 }),
}

/** What breaks a schema where it says something of a value as a whole. */
export function leafBreaks(flat: Schema, types: readonly string[]): Break[] {
  const named = Object.keys(samples).filter((type) => !allows(types, type))
  return [
    ...named.map((type) => breakOf('type', samples[type])),
    ...choiceBreaks(flat),
    ...(types.includes('string') ? stringBreaks(flat) : []),
    ...(types.includes('integer') || types.includes('number') ? numberBreaks(flat, types) : []),
  ]
}

function allows(types: readonly string[], type: string): boolean {
  return types.includes(type) || (type === 'integer' && types.includes('number'))
}

function choiceBreaks(flat: Schema): Break[] {
  const keyword = flat['const'] === undefined ? 'enum' : 'const'
  const choices = flat['const'] === undefined ? listOf(flat['enum']) : [flat['const']]
  if (choices.length === 0) return []
  const isChoice = (value: Json) =>
    choices.some((choice) => JSON.stringify(choice) === JSON.stringify(value))
  const near = choices.flatMap((choice): Json[] => {
    if (typeof choice === 'number') return [choice + 1, choice - 1, -choice]
    if (typeof choice !== 'string') return []
    return [choice.toUpperCase(), `${choice} `, choice.slice(0, -1), `${choice}s`, ` ${choice}`]
  })
  const texts = choices.every((choice) => typeof choice === 'string')
  const any = texts ? [fc.string({ unit: 'grapheme-ascii', maxLength: 12 })] : []
  const values = fc.oneof(fc.constantFrom(...near), ...any).filter((value) => !isChoice(value))
  return [breakOf(keyword, values)]
}

function stringBreaks(flat: Schema): Break[] {
  const { minLength, maxLength, pattern, format } = flat
  const limits = stringLimits(flat)
  return [
    ...(Number(minLength) > 0 ? [breakOf('minLength', shorterStrings(limits))] : []),
    ...(maxLength === undefined ? [] : [breakOf('maxLength', longerStrings(limits))]),
    ...(pattern === undefined ? [] : [breakOf('pattern', unmatchedStrings(limits))]),
    ...(typeof format === 'string' && formats[format] !== undefined
      ? [breakOf('format', misformatted(format))]
      : []),
  ]
}

function numberBreaks(flat: Schema, types: readonly string[]): Break[] {
  const isInteger = !types.includes('number')
  const limit = (keyword: string, toValues: (limit: number) => fc.Arbitrary<number>): Break[] =>
    flat[keyword] === undefined ? [] : [breakOf(keyword, toValues(Number(flat[keyword])))]
  const orItself = (value: number, beyond: fc.Arbitrary<number>) =>
    fc.oneof(fc.constant(value), beyond)
  return [
    ...limit('minimum', (value) => numbersBelow(value, isInteger)),
    ...limit('maximum', (value) => numbersAbove(value, isInteger)),
    ...limit('exclusiveMinimum', (value) => orItself(value, numbersBelow(value, isInteger))),
    ...limit('exclusiveMaximum', (value) => orItself(value, numbersAbove(value, isInteger))),
    ...limit('multipleOf', () => numbersBetween(flat, isInteger)),
    ...(flat['format'] === 'int32' ? [breakOf('format', numbersAbove(2 ** 31 - 1, true))] : []),
  ]
}

function breakOf(keyword: string, values: fc.Arbitrary<Json> = stringsOf(stringLimits({}))): Break {
  return { keyword, place: '', values }
}
