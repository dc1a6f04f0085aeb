import { _, type FuncKeywordDefinition } from 'ajv/dist/2020.js'
import { toSortedJson } from '../description/json.ts'
import { isMultipleOf } from '../description/multiple-of.ts'
import { compilePattern } from '../description/pattern.ts'

/**
 * The keyword `multipleOf`, in decimal digits. Ajv divides in double precision, where 19.99 is no multiple
 * of 0.01, or with `multipleOfPrecision`, which is too coarse for large numbers or too fine for small ones.
 */
export const multipleOf: FuncKeywordDefinition = {
  keyword: 'multipleOf',
  type: 'number',
  schemaType: 'number',
  error: {
    message: 'must be a multiple',
    params: ({ schema }) => _`{ multipleOf: ${schema} }`,
  },
  validate: (divisor: number, value: number) => isMultipleOf(value, divisor),
}

/** The keyword `uniqueItems`: that of Ajv compares each item with each other one. */
export const uniqueItems: FuncKeywordDefinition = {
  keyword: 'uniqueItems',
  type: 'array',
  schemaType: 'boolean',
  validate: (isUnique: boolean, items: readonly unknown[]): boolean =>
    !isUnique || new Set(items.map(toSortedJson)).size === items.length,
}

/** Compiles patterns for Ajv, which asks for a name to write into code that it prints; none is printed here. */
export const regExp = Object.assign((pattern: string) => compilePattern(pattern), {
  code: 'compilePattern',
})
