import type { Parameter } from '../operation.ts'

/** What is wrong with text that cannot be decoded. */
export const malformedEscape = 'must be percent-encoded UTF-8'

/** Decodes percent-encoded UTF-8; undefined where it is none. */
export function decode(text: string): string | undefined {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

const plainInteger = /^-?[0-9]+$/
const plainNumber = /^-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/

/**
 * What is wrong with the text of a value, before any schema is asked: numbers are plain decimal
 * digits, while the validator's coercion takes `0x10`, `1e1`, `+5` and ` 10` for numbers too.
 */
export function lexicalFault(row: Parameter | undefined, value: string): string | undefined {
  if (value === '') return 'must not be empty'
  if (row?.type === 'integer' && !plainInteger.test(value)) {
    return 'must be an integer in plain decimal digits'
  }
  if (row?.type === 'number' && !plainNumber.test(value)) return 'must be a number'
  const isNumber = row?.type === 'integer' || row?.type === 'number'
  // Enough digits make an infinity, which the validator finds within any limit.
  if (isNumber && !Number.isFinite(Number(value))) return 'must not be beyond double precision'
  return undefined
}
