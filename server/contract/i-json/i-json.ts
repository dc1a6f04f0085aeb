import { isUtf8 } from 'node:buffer'
import { character } from './json-cursor.ts'
import { scanJson } from './json-scanner.ts'

/** Where and why a text is not I-JSON. */
export interface JsonFault {
  /** In bytes from the start of the body, where the refused name, number or other part begins. */
  readonly offset: number
  readonly message: string
}

/** What a body says, or the first thing in it that is not I-JSON. */
export type JsonReading = { readonly value: unknown } | { readonly fault: JsonFault }

/**
 * Reads a body as I-JSON (RFC 7493): UTF-8 without a byte order mark, no name twice in an object,
 * no lone surrogate, no number that double precision would change, nesting of at most 32.
 */
export function readIJson(body: Uint8Array): JsonReading {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  const readable = readableLength(bytes)
  const text = bytes.toString('utf8', 0, readable)
  const { at, fault, negativeZeros } = scanJson(text)
  // A text that is cut short where it stops being UTF-8 has no fault of its own at that place.
  if (readable < bytes.length && (fault === undefined || at === text.length)) {
    return { fault: { offset: readable, message: 'the body is not UTF-8' } }
  }
  if (fault !== undefined) {
    return { fault: { offset: Buffer.byteLength(text.slice(0, at)), message: fault } }
  }
  const value: unknown = JSON.parse(withoutSigns(text, negativeZeros))
  return { value }
}

/** How many bytes there are before the first that is not UTF-8. */
function readableLength(bytes: Buffer): number {
  if (isUtf8(bytes)) return bytes.length
  // Decoding puts a replacement character for what is not UTF-8: there the two begin to differ.
  const replaced = Buffer.from(bytes.toString())
  let offset = 0
  while (bytes[offset] === replaced[offset]) offset++
  while (((replaced[offset] ?? 0) & 0xc0) === 0x80) offset--
  return offset
}

/** Blanks the signs of negative zeros: they are to be read as plain ones, and a reviver is slow. */
function withoutSigns(text: string, places: readonly number[]): string {
  if (places.length === 0) return text
  const units = Buffer.from(text, 'utf16le')
  for (const place of places) units[2 * place] = character.space
  return units.toString('utf16le')
}
