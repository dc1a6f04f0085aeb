import { character, type JsonCursor, quote } from './json-cursor.ts'

// Fifteen significant digits always survive double precision, far from the ends of its range.
const safeLength = 15

/** A number without its sign: `digits` × 10^`exponent`, with no zero at either end of the digits. */
interface Decimal {
  readonly digits: string
  readonly exponent: number
}

/** Scans the number that starts at the cursor, and makes sure that double precision can hold it. */
export function scanNumber(cursor: JsonCursor): boolean {
  const { text, at: start } = cursor
  const isNegative = cursor.peek() === character.minus
  if (isNegative) cursor.at++
  if (cursor.peek() === character.zero) {
    cursor.at++
    if (isDigit(text, cursor.at)) return cursor.fail('a number must not have leading zeros')
  } else if (!scanDigits(cursor)) return false
  if (cursor.peek() === character.point) {
    cursor.at++
    if (!scanDigits(cursor)) return false
  }
  const hasExponent = cursor.peek() === character.e || cursor.peek() === character.upperE
  if (hasExponent) {
    cursor.at++
    if (cursor.peek() === character.plus || cursor.peek() === character.minus) cursor.at++
    if (!scanDigits(cursor)) return false
  }
  const isShort = cursor.at - start <= safeLength
  if (isShort && !hasExponent && !isNegative) return true // the common case, without a slice
  const literal = text.slice(start, cursor.at)
  const value = Number(literal)
  if (isNegative && value === 0) cursor.negativeZeros.push(start)
  if (isShort && (!hasExponent || isNormal(value))) return true
  if (isExact(literal, value)) return true
  return cursor.fail(`the number ${quote(literal)} is beyond double precision`, start)
}

/** Tells whether there is a decimal digit at an index. */
export function isDigit(text: string, index: number): boolean {
  const code = text.charCodeAt(index)
  return code >= character.zero && code <= character.nine
}

function scanDigits(cursor: JsonCursor): boolean {
  const { text, at: start } = cursor
  let at = start
  while (isDigit(text, at)) at++
  cursor.at = at
  return at > start || cursor.failExpecting('a digit')
}

function isNormal(value: number): boolean {
  const size = Math.abs(value)
  return size > 1e-300 && size < 1e300
}

function isExact(literal: string, value: number): boolean {
  if (!Number.isFinite(value)) return false
  const printed = String(value)
  if (printed === literal) return true
  // Signs need no comparing: rounding never turns one round, and that of zero means nothing.
  const [sent, kept] = [toDecimal(literal), toDecimal(printed)]
  return sent.digits === kept.digits && sent.exponent === kept.exponent
}

function toDecimal(literal: string): Decimal {
  let point = -1
  let first = -1
  let last = -1
  let end = 0
  for (; end < literal.length && literal[end] !== 'e' && literal[end] !== 'E'; end++) {
    if (literal[end] === '.') point = end
    else if (literal[end] !== '0' && literal[end] !== '-') {
      if (first < 0) first = end
      last = end
    }
  }
  if (first < 0) return { digits: '', exponent: 0 }
  if (point < 0) point = end
  // An exponent too long for exact arithmetic stays far from any that a double is printed with.
  const written = Number(literal.slice(end + 1))
  const place = last < point ? point - last - 1 : point - last
  return { digits: literal.slice(first, last + 1).replace('.', ''), exponent: written + place }
}
