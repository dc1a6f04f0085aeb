import { character, JsonCursor, quote } from './json-cursor.ts'
import { isDigit, scanNumber } from './json-number.ts'
import { scanString } from './json-string.ts'

/** Containers of a text within each other, at most. */
export const maximumDepth = 32
const words = ['true', 'false', 'null']

/** A container that is being read: the names so far of an object, null for an array. */
type Container = Set<string> | null

/** Scans a text, once and without recursion, for the first thing in it that is not I-JSON. */
export function scanJson(text: string): JsonCursor {
  const cursor = new JsonCursor(text)
  const open: Container[] = []
  let isDue = !text.startsWith('\uFEFF') || cursor.fail('a byte order mark is not allowed')
  while (isDue) isDue = scanToValue(cursor, open) && scanToNext(cursor, open)
  return cursor
}

/** Scans a scalar or an empty container, and before it the opening of all that it is first in. */
function scanToValue(cursor: JsonCursor, open: Container[]): boolean {
  for (;;) {
    const first = cursor.skipSpace()
    const isObject = first === character.openBrace
    if (!isObject && first !== character.openBracket) return scanScalar(cursor, first)
    if (open.length === maximumDepth) return cursor.fail('nesting is deeper than 32')
    cursor.at++
    if (cursor.skipSpace() === (isObject ? character.closeBrace : character.closeBracket)) {
      cursor.at++
      return true
    }
    const names = isObject ? new Set<string>() : null
    open.push(names)
    if (names && !scanName(cursor, names)) return false
  }
}

/** Scans what follows a value, and tells whether another value is due. */
function scanToNext(cursor: JsonCursor, open: Container[]): boolean {
  for (;;) {
    const next = cursor.skipSpace()
    const names = open.at(-1)
    if (names === undefined) {
      return !Number.isNaN(next) && cursor.failExpecting('the end of the text')
    }
    if (next === character.comma) {
      cursor.at++
      return names === null || scanName(cursor, names)
    }
    const bracket = names === null ? character.closeBracket : character.closeBrace
    if (next !== bracket) {
      return cursor.failExpecting(`a comma or '${String.fromCharCode(bracket)}'`)
    }
    cursor.at++
    open.pop()
  }
}

function scanName(cursor: JsonCursor, names: Set<string>): boolean {
  if (cursor.skipSpace() !== character.quotationMark) {
    return cursor.failExpecting('a name in double quotes')
  }
  const start = cursor.at
  if (!scanString(cursor)) return false
  const written = cursor.text.slice(start + 1, cursor.at - 1)
  const name: string = written.includes('\\') ? JSON.parse(`"${written}"`) : written
  const known = names.size
  if (names.add(name).size === known) {
    return cursor.fail(`the name ${quote(written)} occurs twice in one object`, start)
  }
  if (cursor.skipSpace() !== character.colon) return cursor.failExpecting('a colon')
  cursor.at++
  return true
}

function scanScalar(cursor: JsonCursor, first: number): boolean {
  if (first === character.quotationMark) return scanString(cursor)
  if (first === character.minus || isDigit(cursor.text, cursor.at)) return scanNumber(cursor)
  for (const word of words) {
    if (first === word.charCodeAt(0)) return scanWord(cursor, word)
  }
  return cursor.failExpecting('a value')
}

function scanWord(cursor: JsonCursor, word: string): boolean {
  for (const letter of word) {
    if (cursor.text[cursor.at] !== letter) return cursor.failExpecting(`the word ${word}`)
    cursor.at++
  }
  return true
}
