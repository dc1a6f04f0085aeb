import type { JsonObject } from '../description.ts'
import { Doubt } from './doubt.ts'
import type { Printing } from './printing.ts'

/** What a number `v` has to be, in code. */
export function numberConditions(schema: JsonObject): string[] {
  const { multipleOf, format } = schema
  const conditions = [
    ...bound(schema, 'minimum', 'v >='),
    ...bound(schema, 'maximum', 'v <='),
    ...bound(schema, 'exclusiveMinimum', 'v >'),
    ...bound(schema, 'exclusiveMaximum', 'v <'),
  ]
  if (multipleOf !== undefined) {
    conditions.push(`Number.isSafeInteger(v / ${numberOf(multipleOf, 'multipleOf')})`)
  }
  if (format === 'int32') conditions.push('(v | 0) === v')
  if (format === 'int64') conditions.push('Number.isSafeInteger(v)')
  return conditions
}

/** What a string `v` has to be, in code. */
export function stringConditions(schema: JsonObject, { module }: Printing): string[] {
  const { minLength, maxLength, pattern, format } = schema
  const conditions: string[] = []
  // Lengths are in code points, of which there are at most as many as code units and at least half.
  if (minLength !== undefined) {
    const least = numberOf(minLength, 'minLength')
    conditions.push(
      least < 2 ? `v.length >= ${least}` : `(v.length >= ${2 * least} || lengthOf(v) >= ${least})`,
    )
  }
  if (maxLength !== undefined) {
    const most = numberOf(maxLength, 'maxLength')
    conditions.push(`(v.length <= ${most} || lengthOf(v) <= ${most})`)
  }
  if (pattern !== undefined) {
    const expression = `new RegExp(${JSON.stringify(pattern)}, 'u')`
    conditions.push(`${module.declare('pattern', expression)}.test(v)`)
  }
  // Numbers have formats too, which say nothing of a string.
  if (format !== undefined && !ofNumbers.includes(format)) {
    conditions.push(`hasFormat(v, ${JSON.stringify(format)})`)
  }
  return conditions
}

const ofNumbers: readonly unknown[] = ['int32', 'int64', 'float', 'double']

/** What an array `v` has to be, in code. */
export function arrayConditions(schema: JsonObject, { print }: Printing): string[] {
  const { items, uniqueItems } = schema
  const conditions = [
    ...bound(schema, 'minItems', 'v.length >='),
    ...bound(schema, 'maxItems', 'v.length <='),
  ]
  // To compare more is left to the validator.
  if (uniqueItems === true) conditions.push('v.length < 2')
  const fits = items === undefined ? 'anything' : print(items)
  if (fits !== 'anything') conditions.push(`haveAll(v, ${fits})`)
  return conditions
}

/** A comparison with what a keyword gives, where it is there. */
export function bound(schema: JsonObject, keyword: string, comparison: string): string[] {
  const value = schema[keyword]
  return value === undefined ? [] : [`${comparison} ${numberOf(value, keyword)}`]
}

function numberOf(value: unknown, keyword: string): number {
  if (typeof value === 'number') return value
  throw new Doubt(`Its ${keyword} is no number.`)
}
