import { createHmac, timingSafeEqual } from 'node:crypto'

/** A value that a list is sorted by. */
export type SortValue = string | number | bigint | boolean | null | Date

/** What a list is sorted by: one value or several, such as a time and an ID. */
export type SortKey = SortValue | readonly SortValue[]

/** Writes and reads the cursors of pagination. */
export type PageCursors<Key extends SortKey = number> = ReturnType<typeof createPageCursors<Key>>

const integerBytes = 8
const signatureBytes = 16

/**
 * Returns cursors that are signed with a secret of the store, so that they are valid on every instance
 * and after a restart: the sort key, and sixteen bytes of HMAC-SHA256 over key and filter, in base64url.
 */
export function createPageCursors<Key extends SortKey = number>(secret: Uint8Array) {
  function sign(key: Uint8Array, filter: string): Buffer {
    // Without its length, the end of a key could pass for the begin of a filter.
    const length = isJson(key) ? `${key.length}:` : ''
    return createHmac('sha256', secret)
      .update(length)
      .update(key)
      .update(filter)
      .digest()
      .subarray(0, signatureBytes)
  }

  return {
    /** Returns a cursor to the page after a sort key, for a filter. */
    write(after: Key, filter: string): string {
      const key = encode(after)
      return Buffer.concat([key, sign(key, filter)]).toString('base64url')
    },
    /** Returns the sort key that a cursor follows; undefined if it is forged, or made for another filter. */
    read(cursor: string, filter: string): Key | undefined {
      const bytes = Buffer.from(cursor, 'base64url')
      // Decoding accepts what encoding never writes: only the canonical form is valid.
      if (bytes.length <= signatureBytes || bytes.toString('base64url') !== cursor) {
        return undefined
      }

      const key = bytes.subarray(0, -signatureBytes)
      if (!isJson(key) && key.length !== integerBytes) {
        return undefined
      }

      const isOurs = timingSafeEqual(bytes.subarray(-signatureBytes), sign(key, filter))
      // What is signed was written by `write`, which takes keys of this type.
      return isOurs ? (decode(key) as Key) : undefined
    },
  }
}

/** Encodes an integer in eight bytes, and other keys as JSON, which begins with a bracket. */
function encode(key: SortKey): Buffer {
  if (typeof key === 'number' && Number.isSafeInteger(key)) {
    const bytes = Buffer.alloc(integerBytes)
    bytes.writeBigInt64BE(BigInt(key))
    return bytes
  }

  const list = isList(key)
  const values = (list ? key : [key]).map(toJsonValue)
  return Buffer.from(JSON.stringify([list, ...values]))
}

/** Returns whether a key is JSON; a safe integer begins with the byte 0 or 255. */
function isJson(key: Uint8Array): boolean {
  return key[0] === '['.charCodeAt(0)
}

function decode(bytes: Buffer): SortKey {
  if (!isJson(bytes)) {
    return Number(bytes.readBigInt64BE())
  }

  const [list, ...values]: readonly JsonValue[] = JSON.parse(bytes.toString())
  const key = values.map(fromJsonValue)
  const [only = null] = key
  return list === true ? key : only
}

type JsonValue =
  | string
  | number
  | boolean
  | null
  | { readonly date: string }
  | { readonly bigint: string }

function toJsonValue(value: SortValue): JsonValue {
  if (typeof value === 'bigint') {
    return { bigint: String(value) }
  }
  return value instanceof Date ? { date: value.toISOString() } : value
}

function fromJsonValue(value: JsonValue): SortValue {
  if (typeof value !== 'object' || value === null) {
    return value
  }
  return 'date' in value ? new Date(value.date) : BigInt(value.bigint)
}

function isList(key: SortKey): key is readonly SortValue[] {
  return Array.isArray(key)
}
