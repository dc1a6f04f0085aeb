import { isUtf8 } from 'node:buffer'
import { malformedBody } from './errors.ts'

/**
 * Parses a body as I-JSON (RFC 7493): UTF-8 without a byte order mark, no name twice in an object,
 * no lone surrogate, no number that double precision would change, nesting of at most 32. Throws the
 * `ApiError` of a body that is something else. Integers that double precision may not hold are added to
 * `large`, if that is given, instead.
 */
export function parseIJson(body: Uint8Array, large?: AddLargeInteger): unknown {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  const offset = utf8Length(bytes)
  if (offset < bytes.length) {
    throw malformedBody(offset, 'the body is not UTF-8')
  }
  const text = bytes.toString()
  const { hasLargeIntegers } = new Scanner(text, large !== undefined).scan()
  if (large !== undefined && hasLargeIntegers) {
    return JSON.parse(text, noteLargeIntegers(large))
  }
  return JSON.parse(text, mayHaveNegativeZero.test(text) ? withoutSign : undefined)
}

/** Matches where negative zero may begin; a date such as 2026-01-05 has its digits behind others. */
const mayHaveNegativeZero = /(?:^|[\s:,[])-0/

/** Adds the literal of an integer, with the object or the array that it is in, and its name or index there. */
type AddLargeInteger = (holder: unknown, key: string, literal: string) => void

/** Returns the function that adds large integers to others while a text is parsed. */
function noteLargeIntegers(add: AddLargeInteger) {
  return function noteLargeInteger(
    this: unknown,
    name: string,
    value: unknown,
    { source = '' }: { readonly source?: string } = {},
  ): unknown {
    if (typeof value === 'number' && isLargeInteger(source)) {
      add(this, name, source)
    }
    return withoutSign(name, value)
  }
}

/** Returns whether a literal is that of an integer which is not safe in double precision. */
function isLargeInteger(literal: string): boolean {
  return /^-?[0-9]+$/.test(literal) && !Number.isSafeInteger(Number(literal))
}

/** Replaces negative zero, which handlers and stores would have to know, by 0. */
function withoutSign(_name: string, value: unknown): unknown {
  return value === 0 ? 0 : value
}

/** Returns the number of bytes before the first that is not UTF-8. */
function utf8Length(bytes: Buffer): number {
  if (isUtf8(bytes)) {
    return bytes.length
  }
  // Decoding replaces what is not UTF-8: there the bytes and those of the decoded text begin to differ.
  const replaced = Buffer.from(bytes.toString())
  let offset = 0
  while (bytes[offset] === replaced[offset]) {
    offset++
  }
  // They may differ within a character, which begins before.
  while (isContinuation(replaced[offset])) {
    offset--
  }
  return offset
}

/** Returns whether a byte of UTF-8 continues a character: its two highest bits are 10. */
function isContinuation(byte = 0): boolean {
  return (byte & 0b1100_0000) === 0b1000_0000
}

const maximumDepth = 32
const words = ['true', 'false', 'null']

// Code units that are compared one by one: a pattern for each of them would take most of the time.
const quotationMark = 0x22
const backslash = 0x5c
const firstPrintable = 0x20

// Where a text continues (`y`).
const space = /[ \t\n\r]*/y
/** A number of few digits, which is exact. */
const shortInteger = /-?(?:0|[1-9][0-9]{0,14})(?![0-9.eE])/y
const digits = /[0-9]+/y
const exponent = /[eE][+-]?/y
const escaped = /["\\/bfnrt]/y
const hexadecimal = /[0-9a-f]{0,4}/iy
const lowSurrogate = /\\ud[c-f][0-9a-f]{2}/iy

// The four digits of a code unit in an escape.
const surrogate = /^d[89a-f]/i
const highSurrogate = /^d[89ab]/i

/** Scans a text once for the first thing in it that is not I-JSON, and throws its `ApiError`. */
class Scanner {
  /** Whether the text has integers that double precision may not hold, which it may have. */
  hasLargeIntegers = false
  readonly #text: string
  readonly #acceptsLargeIntegers: boolean
  /** The index of the next character. */
  #at = 0

  constructor(text: string, acceptsLargeIntegers: boolean) {
    this.#text = text
    this.#acceptsLargeIntegers = acceptsLargeIntegers
  }

  scan(): this {
    if (this.#text.startsWith('\uFEFF')) {
      this.#reject('a byte order mark is not allowed')
    }
    this.#scanValue(0)
    this.#skipSpace()
    if (this.#at < this.#text.length) {
      this.#rejectNext('the end of the text')
    }
    return this
  }

  #scanValue(depth: number): void {
    this.#skipSpace()
    const first = this.#text[this.#at] ?? ''
    if (first === '"') {
      this.#scanString()
    } else if (first === '{' || first === '[') {
      this.#scanItems(depth + 1)
    } else if (first === '-' || (first >= '0' && first <= '9')) {
      this.#scanNumber()
    } else {
      this.#scanWord(first)
    }
  }

  #scanWord(first: string): void {
    const word = words.find((each) => each[0] === first)
    if (word === undefined) {
      this.#rejectNext('a value')
    }
    for (const letter of word) {
      if (!this.#skip(letter)) {
        this.#rejectNext(`the word ${word}`)
      }
    }
  }

  /** Scans an array or an object, from its opening bracket to its closing one. */
  #scanItems(depth: number): void {
    if (depth > maximumDepth) {
      this.#reject(`nesting is deeper than ${maximumDepth}`)
    }
    const isObject = this.#text[this.#at++] === '{'
    const close = isObject ? '}' : ']'
    this.#skipSpace()
    if (this.#skip(close)) {
      return
    }
    const names = isObject ? new Set<string>() : undefined
    do {
      if (names !== undefined) {
        this.#scanName(names)
      }
      this.#scanValue(depth)
      this.#skipSpace()
    } while (this.#skip(','))
    if (!this.#skip(close)) {
      this.#rejectNext(`a comma or '${close}'`)
    }
  }

  #scanName(names: Set<string>): void {
    this.#skipSpace()
    const start = this.#at
    if (this.#text[start] !== '"') {
      this.#rejectNext('a name in double quotes')
    }
    const hasEscapes = this.#scanString()
    const literal = this.#text.slice(start + 1, this.#at - 1)
    const name: string = hasEscapes ? JSON.parse(`"${literal}"`) : literal
    const count = names.size
    names.add(name)
    if (names.size === count) {
      this.#reject(`the name ${quote(literal)} occurs twice in one object`, start)
    }
    this.#skipSpace()
    if (!this.#skip(':')) {
      this.#rejectNext('a colon')
    }
  }

  /** Scans a string; returns whether there are escapes in it. */
  #scanString(): boolean {
    const text = this.#text
    let hasEscapes = false
    let at = this.#at + 1
    while (at < text.length) {
      const unit = text.charCodeAt(at)
      if (unit === quotationMark) {
        this.#at = at + 1
        return hasEscapes
      }
      if (unit === backslash) {
        hasEscapes = true
        this.#at = at
        this.#scanEscape()
        at = this.#at
      } else if (unit >= firstPrintable) {
        at++
      } else {
        this.#at = at
        this.#reject('a control character in a string must be escaped')
      }
    }
    this.#at = at
    this.#rejectNext('a closing double quote')
  }

  #scanEscape(): void {
    const start = this.#at++
    if (this.#take(escaped)) {
      return
    }
    if (!this.#skip('u')) {
      this.#rejectNext('one of " \\ / b f n r t u after a backslash')
    }

    this.#take(hexadecimal)
    const unit = this.#text.slice(start + 2, this.#at)
    if (unit.length < 4) {
      this.#rejectNext('a hexadecimal digit')
    }
    if (!surrogate.test(unit)) {
      return
    }
    const isPair = highSurrogate.test(unit) && this.#take(lowSurrogate)
    if (!isPair) {
      this.#reject('a surrogate escape must be one half of a pair', start)
    }
  }

  #scanNumber(): void {
    if (this.#take(shortInteger)) {
      return
    }
    const start = this.#at
    this.#skip('-')
    const first = this.#at
    this.#scanDigits()
    if (this.#text[first] === '0' && this.#at > first + 1) {
      this.#reject('a number must not have leading zeros', first + 1)
    }
    if (this.#skip('.')) {
      this.#scanDigits()
    }
    if (this.#take(exponent)) {
      this.#scanDigits()
    }

    const literal = this.#text.slice(start, this.#at)
    if (this.#acceptsLargeIntegers && isLargeInteger(literal)) {
      this.hasLargeIntegers = true
      return
    }
    if (isExact(literal)) {
      return
    }
    this.#reject(`the number ${quote(literal)} is beyond double precision`, start)
  }

  #scanDigits(): void {
    if (!this.#take(digits)) {
      this.#rejectNext('a digit')
    }
  }

  #skipSpace(): void {
    // Most values follow without any.
    if (this.#text.charCodeAt(this.#at) <= firstPrintable) {
      this.#take(space)
    }
  }

  /** Moves behind a character if it is the next one; returns whether it is. */
  #skip(character: string): boolean {
    const isNext = this.#text[this.#at] === character
    if (isNext) {
      this.#at++
    }
    return isNext
  }

  /** Moves behind what a pattern matches here; returns whether it matches. */
  #take(pattern: RegExp): boolean {
    pattern.lastIndex = this.#at
    const isNext = pattern.test(this.#text)
    if (isNext) {
      this.#at = pattern.lastIndex
    }
    return isNext
  }

  #reject(reason: string, at = this.#at): never {
    throw malformedBody(Buffer.byteLength(this.#text.slice(0, at)), reason)
  }

  #rejectNext(expected: string): never {
    const codePoint = this.#text.codePointAt(this.#at)
    const next =
      codePoint === undefined
        ? 'but the text ends'
        : `not ${quote(String.fromCodePoint(codePoint))}`
    this.#reject(`${expected} was expected, ${next}`)
  }
}

/** Returns whether a double has the value of a literal. */
export function isExact(literal: string): boolean {
  // Fifteen significant digits always survive, far from the ends of the range.
  if (literal.length <= 15 && !/e/i.test(literal)) {
    return true
  }
  const value = Number(literal)
  // The digits decide, because rounding to a double changes no sign, and is far from a factor of ten.
  return Number.isFinite(value) && significantDigits(String(value)) === significantDigits(literal)
}

/** Returns the digits of a number from the first to the last that is not zero. */
function significantDigits(literal: string): string {
  const [mantissa = ''] = literal.split(/e/i, 1)
  const digits = mantissa.replace(/^[-.0]+/, '').replace('.', '')
  let end = digits.length
  // Not a pattern such as /0+$/, which takes quadratic time over a long run of inner zeros.
  while (digits[end - 1] === '0') {
    end--
  }
  return digits.slice(0, end)
}

const maxQuoteLength = 40

/** Returns the beginning of an input in quotes. */
function quote(input: string): string {
  // A character has two code units at most; one more character shows that there are more.
  const characters = Array.from(input.slice(0, 2 * (maxQuoteLength + 1)))
  const beginning = characters.slice(0, maxQuoteLength).join('')
  const ellipsis = characters.length > maxQuoteLength ? '…' : ''
  return `'${escapeInvisible(beginning)}${ellipsis}'`
}

/** Escapes characters that are invisible, or that a terminal would follow. */
export function escapeInvisible(text: string): string {
  return text.replace(
    /[\p{C}\p{Zl}\p{Zp}]/gu,
    (hidden) => `\\u{${hidden.codePointAt(0)?.toString(16)}}`,
  )
}
