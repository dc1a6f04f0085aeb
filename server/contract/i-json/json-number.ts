import { character, type JsonCursor, quote } from './json-cursor.ts'

// Fifteen significant digits always survive double precision, far from the ends of its range.
const safeLength = 15

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
  // The digits alone decide: no rounding to a double turns a sign or comes near a factor of ten.
  return printed === literal || significantDigits(printed) === significantDigits(literal)
}

/** The digits of a number from the first to the last that is not zero. */
function significantDigits(literal: string): string {
  let first = 0
  let end = 0
  for (let at = 0; at < literal.length; at++) {
    const code = literal.charCodeAt(at)
    if (code === character.e || code === character.upperE) break
    // Not a pattern such as /0+$/, which takes quadratic time over a long run of inner zeros.
    if (code <= character.zero || code > character.nine) continue
    if (end === 0) first = at
    end = at + 1
  }
  return literal.slice(first, end).replace('.', '')
}
