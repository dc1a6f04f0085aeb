import fc from 'fast-check'
import type { Schema } from './schema.ts'

const formats: Readonly<Record<string, readonly [number, number]>> = {
  int32: [-(2 ** 31), 2 ** 31 - 1],
}
const none = [-Number.MAX_VALUE, Number.MAX_VALUE] as const

interface Bounds {
  readonly min: number
  readonly max: number
  readonly minExcluded: boolean
  readonly maxExcluded: boolean
}

function boundsOf(schema: Schema): Bounds {
  const [lowest, highest] = formats[String(schema['format'])] ?? none
  const limit = (keyword: string, otherwise: number) => Number(schema[keyword] ?? otherwise)
  const above = limit('exclusiveMinimum', -Infinity)
  const below = limit('exclusiveMaximum', Infinity)
  const [least, most] = [limit('minimum', lowest), limit('maximum', highest)]
  return {
    min: Math.max(above, least),
    max: Math.min(below, most),
    minExcluded: above >= least,
    maxExcluded: below <= most,
  }
}

/** Integers that a schema allows; more often than not near zero and near its limits. */
export function integersOf(schema: Schema): fc.Arbitrary<number> {
  const { min, max, minExcluded, maxExcluded } = boundsOf(schema)
  const step = Number(schema['multipleOf'] ?? 1)
  const lowest = Math.max(min, Number.MIN_SAFE_INTEGER)
  const highest = Math.min(max, Number.MAX_SAFE_INTEGER)
  const [first, last] = [Math.ceil(lowest / step), Math.floor(highest / step)]
  return fc
    .integer({
      min: first + (minExcluded && first * step === min ? 1 : 0),
      max: last - (maxExcluded && last * step === max ? 1 : 0),
    })
    .map((count) => count * step + 0)
}

/** Numbers that a schema allows. */
export function numbersOf(schema: Schema): fc.Arbitrary<number> {
  if (schema['multipleOf'] !== undefined) {
    return integersOf(schema).map((value) => Number(value.toPrecision(12)))
  }
  const bounds = boundsOf(schema)
  const doubles = fc.double({ ...bounds, noNaN: true, noDefaultInfinity: true })
  // JSON has a negative zero, and what comes of it is nobody's business.
  return fc.oneof(doubles, integersOf(schema)).map((value) => value + 0)
}

/** Numbers on the wrong side of a lower limit, with the one next to it among them. */
export function numbersBelow(limit: number, isInteger: boolean): fc.Arbitrary<number> {
  return numbersAbove(-limit, isInteger).map((value) => -value)
}

/** Numbers on the wrong side of an upper limit, with the one next to it among them. */
export function numbersAbove(limit: number, isInteger: boolean): fc.Arbitrary<number> {
  const further = fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 1_000 }), fc.constant(1e20))
  const values = further.map((more) => limit + more)
  // A double beyond 2^53 may be where it came from.
  const beyond = values.filter((value) => value > limit)
  return isInteger ? beyond : fc.oneof(beyond, fc.constant(nextAbove(limit)))
}

/** Numbers between two multiples of a step. */
export function numbersBetween(schema: Schema, isInteger: boolean): fc.Arbitrary<number> {
  const step = Number(schema['multipleOf'])
  const off = isInteger ? fc.integer({ min: 1, max: Math.max(1, step - 1) }) : fc.constant(step / 2)
  return fc.tuple(integersOf(schema), off).map(([value, more]) => value + more)
}

function nextAbove(value: number): number {
  return value + Math.max(Number.MIN_VALUE, Math.abs(value) * Number.EPSILON)
}
