import type { Shape } from '../description/value-shape.ts'
import { isExact, parseIJson } from './i-json.ts'

export const emptyText = 'must not be empty'

/** The message of a number that double precision does not hold: it is never rounded. */
export const imprecise = 'must not be beyond double precision'

/** Returns the types of a shape as a list. */
export function typesOf({ type }: Shape): readonly string[] {
  if (type === undefined) {
    return []
  }
  return typeof type === 'string' ? [type] : type
}

/**
 * Returns the violation of a text before a schema is applied; undefined if there is none. Numbers are plain
 * decimal digits, while the validator converts `0x10`, `1e1`, `+5` and ` 10` to numbers, too.
 */
export function lexicalError(shape: Shape, text: string): string | undefined {
  if (shape.type === 'string' && text !== '') {
    return undefined
  }

  const types = typesOf(shape)
  const isNull = types.includes('null') && isNullText(text, types)
  if (isNull) {
    return undefined
  }
  if (text === '') {
    return shape.emptyText ? undefined : emptyText
  }

  const [only, ...otherTypes] = types.filter((type) => type !== 'null')
  return otherTypes.length > 0 ? undefined : numericError(only, text)
}

function numericError(type: string | undefined, text: string): string | undefined {
  if (type !== 'integer' && type !== 'number') {
    return undefined
  }
  if (type === 'integer' && !integer.test(text)) {
    return 'must be an integer in plain decimal digits'
  }
  if (!decimal.test(text)) {
    return 'must be a number'
  }
  // Enough digits make an infinity, which is within any limit.
  return Number.isFinite(Number(text)) ? undefined : imprecise
}

const integer = /^-?[0-9]+$/
const decimal = /^-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/

/** Returns whether a text is a number that a handler would get rounded. */
export function isRounded(shape: Shape, text: string): boolean {
  // Most texts are short.
  if (text.length <= 15 || shape.type === 'string') {
    return false
  }
  const types = typesOf(shape)
  const isNumber = types.includes('integer') || types.includes('number')
  return isNumber && !types.includes('string') && decimal.test(text) && !isExact(text)
}

/** Returns whether a text is an integer that double precision may not hold, such as one of 64 bits. */
export function isLargeInteger(shape: Shape, text: string): boolean {
  if (text.length <= 15 || shape.type === 'string') {
    return false
  }
  const types = typesOf(shape)
  const isNumber = types.includes('integer') || types.includes('number')
  const isLarge = integer.test(text) && !Number.isSafeInteger(Number(text))
  return isNumber && !types.includes('string') && isLarge
}

/** Returns the value that a text is, by the types of its shape; the text itself if it is none of them. */
export function toValue(text: string, shape: Shape): unknown {
  const { type } = shape
  if (type === undefined || type === 'string') {
    return text
  }

  const types = typesOf(shape)
  if (types.includes('null') && isNullText(text, types)) {
    return null
  }
  for (const each of types) {
    const value = convert(text, each, types.includes('string'))
    if (value !== undefined) {
      return value
    }
  }
  return text
}

/** Returns whether a text stands for null: the empty text, or `null` where it cannot be a text. */
function isNullText(text: string, types: readonly string[]): boolean {
  return text === '' || (text === 'null' && !types.includes('string'))
}

/** Returns a text as a value of a type; undefined if it is none. */
function convert(text: string, type: string, mayBeText: boolean): unknown {
  switch (type) {
    case 'integer':
    case 'number':
      return toNumber(text, type, mayBeText)
    case 'boolean':
      return text === 'true' || text === 'false' ? text === 'true' : undefined
    case 'array':
    case 'object':
      return toStructure(text)
    default:
      return undefined
  }
}

function toNumber(text: string, type: string, mayBeText: boolean): number | undefined {
  const pattern = type === 'integer' ? integer : decimal
  if (!pattern.test(text)) {
    return undefined
  }
  // The sign of -0 has no meaning for a handler.
  const value = Number(text) + 0
  // A text such as 007 has more than its number.
  return mayBeText && String(value) !== text ? undefined : value
}

/** Returns the array or the object that a text is as JSON: OpenAPI has no form of those that are inside others. */
function toStructure(text: string): unknown {
  if (!/^[[{]/.test(text)) {
    return undefined
  }
  try {
    return parseIJson(Buffer.from(text))
  } catch {
    return undefined
  }
}
