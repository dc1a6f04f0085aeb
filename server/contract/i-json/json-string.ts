import { character, type JsonCursor } from './json-cursor.ts'

/** Scans the string that starts at the cursor. */
export function scanString(cursor: JsonCursor): boolean {
  const { text } = cursor
  let at = cursor.at + 1
  while (at < text.length) {
    const code = text.charCodeAt(at)
    if (code === character.quotationMark) {
      cursor.at = at + 1
      return true
    }
    if (code < character.space) {
      return cursor.fail('a control character in a string must be escaped', at)
    }
    if (code === character.backslash) {
      cursor.at = at
      if (!scanEscape(cursor)) return false
      at = cursor.at
    } else at++
  }
  cursor.at = at
  return cursor.failExpecting('a closing double quote')
}

function scanEscape(cursor: JsonCursor): boolean {
  const start = cursor.at++
  const letter = cursor.text[cursor.at]
  if (letter === undefined || !'"\\/bfnrtu'.includes(letter)) {
    return cursor.failExpecting('one of " \\ / b f n r t u after a backslash')
  }
  cursor.at++
  if (letter !== 'u') return true
  const first = scanCodeUnit(cursor)
  if (first === undefined) return false
  if (first < 0xd800 || first > 0xdfff) return true
  if (first < 0xdc00 && cursor.text.startsWith('\\u', cursor.at)) {
    cursor.at += 2
    const second = scanCodeUnit(cursor)
    if (second === undefined) return false
    if (second >= 0xdc00 && second <= 0xdfff) return true
  }
  return cursor.fail('a surrogate escape must be one half of a pair', start)
}

function scanCodeUnit(cursor: JsonCursor): number | undefined {
  const start = cursor.at
  while (cursor.at < start + 4) {
    if (!isHexadecimal(cursor.text[cursor.at])) {
      return void cursor.failExpecting('a hexadecimal digit')
    }
    cursor.at++
  }
  return Number.parseInt(cursor.text.slice(start, cursor.at), 16)
}

function isHexadecimal(digit = ''): boolean {
  return (
    (digit >= '0' && digit <= '9') ||
    (digit >= 'a' && digit <= 'f') ||
    (digit >= 'A' && digit <= 'F')
  )
}
