import { isUtf8 } from 'node:buffer'
import { malformedBody } from './errors.ts'

/**
 * Parses a body as I-JSON (RFC 7493): UTF-8 without a byte order mark, no name twice in an object,
 * no lone surrogate, no number that double precision would change, nesting of at most 32. Throws the
 * `ApiError` of a body that is something else.
 */
export function parseIJson(body: Uint8Array): unknown {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  const offset = utf8Length(bytes)
  if (offset < bytes.length) throw malformedBody(offset, 'the body is not UTF-8')
  const text = bytes.toString()
  const scanner = new Scanner(text)
  try {
    scanner.scan()
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw malformedBody(Buffer.byteLength(text.slice(0, scanner.at)), error.message)
  }
  return JSON.parse(text, /-0/.test(text) ? withoutSign : undefined)
}

/** Replaces negative zero, which handlers and stores would have to know, by 0. */
function withoutSign(_name: string, value: unknown): unknown {
  return value === 0 ? 0 : value
}

/** Returns the number of bytes before the first that is not UTF-8. */
function utf8Length(bytes: Buffer): number {
  if (isUtf8(bytes)) return bytes.length
  // Decoding replaces what is not UTF-8: there the two begin to differ.
  const replaced = Buffer.from(bytes.toString())
  let offset = 0
  while (bytes[offset] === replaced[offset]) offset++
  while (((replaced[offset] ?? 0) & 0xc0) === 0x80) offset--
  return offset
}

const maximumDepth = 32

/** Scans a text once for the first thing in it that is not I-JSON. */
class Scanner {
  readonly #text: string
  /** The index of the next character; after an error, where the error is. */
  at = 0

  constructor(text: string) {
    this.#text = text
  }

  /** Throws a `SyntaxError` at the first thing that is not I-JSON. */
  scan(): void {
    if (this.#text.startsWith('\uFEFF')) throw this.#error('a byte order mark is not allowed')
    this.#scanValue(0)
    if (this.#skipSpace() !== undefined) throw this.#expected('the end of the text')
  }

  #scanValue(depth: number): void {
    const first = this.#skipSpace()
    if (first === '"') this.#scanString()
    else if (first === '-' || isDigit(first)) this.#scanNumber()
    else if (first === '{') this.#scanObject(depth + 1)
    else if (first === '[') this.#scanItems(depth + 1, ']', () => this.#scanValue(depth + 1))
    else if (!this.#scanWord()) throw this.#expected('a value')
  }

  #scanObject(depth: number): void {
    const names = new Set<string>()
    this.#scanItems(depth, '}', () => {
      this.#scanName(names)
      if (this.#skipSpace() !== ':') throw this.#expected('a colon')
      this.at++
      this.#scanValue(depth)
    })
  }

  /** Scans an array or an object, from its opening bracket to its closing one. */
  #scanItems(depth: number, close: string, scanItem: () => void): void {
    if (depth > maximumDepth) throw this.#error(`nesting is deeper than ${maximumDepth}`)
    this.at++
    this.#skipSpace()
    if (this.#skip(close)) return
    do {
      scanItem()
      this.#skipSpace()
    } while (this.#skip(','))
    if (!this.#skip(close)) throw this.#expected(`a comma or '${close}'`)
  }

  #scanName(names: Set<string>): void {
    if (this.#skipSpace() !== '"') throw this.#expected('a name in double quotes')
    const start = this.at
    this.#scanString()
    const literal = this.#text.slice(start + 1, this.at - 1)
    const name: string = literal.includes('\\') ? JSON.parse(`"${literal}"`) : literal
    if (names.has(name)) {
      throw this.#error(`the name ${quote(literal)} occurs twice in one object`, start)
    }
    names.add(name)
  }

  #scanString(): void {
    this.at++
    while (!this.#skip('"')) {
      const next = this.#peek()
      if (next === undefined) throw this.#expected('a closing double quote')
      if (next < ' ') throw this.#error('a control character in a string must be escaped')
      if (next === '\\') this.#scanEscape()
      else this.at++
    }
  }

  #scanEscape(): void {
    const start = this.at++
    const letter = this.#text[this.at]
    if (letter === undefined || !'"\\/bfnrtu'.includes(letter)) {
      throw this.#expected('one of " \\ / b f n r t u after a backslash')
    }
    this.at++
    if (letter !== 'u') return
    const first = this.#scanCodeUnit()
    if (first < 0xd800 || first > 0xdfff) return
    if (first < 0xdc00 && this.#text.startsWith('\\u', this.at)) {
      this.at += 2
      const second = this.#scanCodeUnit()
      if (second >= 0xdc00 && second <= 0xdfff) return
    }
    throw this.#error('a surrogate escape must be one half of a pair', start)
  }

  #scanCodeUnit(): number {
    const next = this.#text.slice(this.at, this.at + 4)
    const [digits = ''] = /^[0-9a-f]*/i.exec(next) ?? []
    this.at += digits.length
    if (digits.length < 4) throw this.#expected('a hexadecimal digit')
    return Number.parseInt(digits, 16)
  }

  #scanNumber(): void {
    const start = this.at
    this.#skip('-')
    const first = this.at
    this.#scanDigits()
    if (this.#text[first] === '0' && this.at > first + 1) {
      throw this.#error('a number must not have leading zeros', first + 1)
    }
    if (this.#skip('.')) this.#scanDigits()
    if (this.#skip('e') || this.#skip('E')) {
      if (!this.#skip('+')) this.#skip('-')
      this.#scanDigits()
    }
    const literal = this.#text.slice(start, this.at)
    if (isExact(literal)) return
    throw this.#error(`the number ${quote(literal)} is beyond double precision`, start)
  }

  #scanDigits(): void {
    if (!isDigit(this.#peek())) throw this.#expected('a digit')
    while (isDigit(this.#peek())) this.at++
  }

  #scanWord(): boolean {
    const word = ['true', 'false', 'null'].find((known) => known[0] === this.#text[this.at])
    for (const letter of word ?? '') {
      if (!this.#skip(letter)) throw this.#expected(`the word ${word}`)
    }
    return word !== undefined
  }

  #peek(): string | undefined {
    return this.#text[this.at]
  }

  #skip(character: string): boolean {
    if (this.#peek() !== character) return false
    this.at++
    return true
  }

  /** Skips white space, and returns the character after it; undefined at the end of the text. */
  #skipSpace(): string | undefined {
    for (;;) {
      const next = this.#peek()
      if (next !== ' ' && next !== '\n' && next !== '\r' && next !== '\t') return next
      this.at++
    }
  }

  #error(message: string, at = this.at): SyntaxError {
    this.at = at
    return new SyntaxError(message)
  }

  #expected(wanted: string): SyntaxError {
    const found = this.#text.codePointAt(this.at)
    if (found === undefined) return this.#error(`${wanted} was expected, but the text ends`)
    return this.#error(`${wanted} was expected, not ${quote(String.fromCodePoint(found))}`)
  }
}

function isDigit(character: string | undefined): boolean {
  return character !== undefined && character >= '0' && character <= '9'
}

/** Returns whether a double has the value of a literal. */
function isExact(literal: string): boolean {
  // Fifteen significant digits always survive, far from the ends of the range.
  if (literal.length <= 15 && !/e/i.test(literal)) return true
  const value = Number(literal)
  // Their digits decide: no rounding to a double changes a sign or comes near a factor of ten.
  return Number.isFinite(value) && significantDigits(String(value)) === significantDigits(literal)
}

/** Returns the digits of a number from the first to the last that is not zero. */
function significantDigits(literal: string): string {
  const [mantissa = ''] = literal.split(/e/i, 1)
  const digits = mantissa.replace(/^[-.0]+/, '').replace('.', '')
  let end = digits.length
  // Not a pattern such as /0+$/, which takes quadratic time over a long run of inner zeros.
  while (digits[end - 1] === '0') end--
  return digits.slice(0, end)
}

const longestQuote = 40

/** Returns the beginning of an input in quotes, with invisible characters escaped. */
function quote(input: string): string {
  // A character has two code units at most; one more character shows that there are more.
  const characters = Array.from(input.slice(0, 2 * (longestQuote + 1)))
  const shown = characters.slice(0, longestQuote).join('')
  const visible = shown.replace(
    /[\p{C}\p{Zl}\p{Zp}]/gu,
    (hidden) => `\\u{${hidden.codePointAt(0)?.toString(16)}}`,
  )
  return `'${visible}${characters.length > longestQuote ? '…' : ''}'`
}
