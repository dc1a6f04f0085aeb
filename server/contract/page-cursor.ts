import { createHmac, timingSafeEqual } from 'node:crypto'

/** Writes and reads the cursors of pagination. */
export type PageCursors = ReturnType<typeof createPageCursors>

const idBytes = 8
const signatureBytes = 16

/**
 * Returns cursors that are signed with a secret of the store, so that they are valid on every instance
 * and after a restart: eight bytes of id, sixteen of HMAC-SHA256 over id and filter, in base64url.
 */
export function createPageCursors(secret: Uint8Array) {
  function sign(id: Uint8Array, filter: string): Buffer {
    return createHmac('sha256', secret)
      .update(id)
      .update(filter)
      .digest()
      .subarray(0, signatureBytes)
  }
  return {
    /** Returns a cursor to the page after an ID, for a filter. */
    write(after: number, filter: string): string {
      const id = Buffer.alloc(idBytes)
      id.writeBigInt64BE(BigInt(after))
      return Buffer.concat([id, sign(id, filter)]).toString('base64url')
    },
    /** Returns the ID that a cursor follows; undefined if it is forged, or made for another filter. */
    read(cursor: string, filter: string): number | undefined {
      const bytes = Buffer.from(cursor, 'base64url')
      // Decoding accepts what encoding never writes: only the canonical form is valid.
      if (bytes.length !== idBytes + signatureBytes) {
        return undefined
      }
      if (bytes.toString('base64url') !== cursor) {
        return undefined
      }
      const id = bytes.subarray(0, idBytes)
      const isOurs = timingSafeEqual(bytes.subarray(idBytes), sign(id, filter))
      return isOurs ? Number(id.readBigInt64BE()) : undefined
    },
  }
}
