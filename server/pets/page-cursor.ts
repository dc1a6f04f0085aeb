import { createHmac, timingSafeEqual } from 'node:crypto'

/** Makes and reads the cursors of page walks. */
export interface PageCursors {
  /** A cursor to what follows an id, for a filter. */
  readonly write: (after: number, filter: string) => string
  /** The id that a cursor follows; undefined when it is forged, or made for another filter. */
  readonly read: (cursor: string, filter: string) => number | undefined
}

const idBytes = 8
const signatureBytes = 16

/**
 * Makes cursors that are signed with a secret of the store, so that they hold on every instance and
 * after a restart: eight bytes of id, sixteen of HMAC-SHA256 over id and filter, in base64url.
 */
export function createPageCursors(secret: Uint8Array): PageCursors {
  function sign(id: Uint8Array, filter: string): Buffer {
    return createHmac('sha256', secret)
      .update(id)
      .update(filter)
      .digest()
      .subarray(0, signatureBytes)
  }
  return {
    write(after, filter) {
      const id = Buffer.alloc(idBytes)
      id.writeBigInt64BE(BigInt(after))
      return Buffer.concat([id, sign(id, filter)]).toString('base64url')
    },
    read(cursor, filter) {
      const bytes = Buffer.from(cursor, 'base64url')
      // Decoding forgives what encoding never writes: only the canonical form is ours.
      if (bytes.length !== idBytes + signatureBytes) return undefined
      if (bytes.toString('base64url') !== cursor) return undefined
      const id = bytes.subarray(0, idBytes)
      const isOurs = timingSafeEqual(bytes.subarray(idBytes), sign(id, filter))
      return isOurs ? Number(id.readBigInt64BE()) : undefined
    },
  }
}
