import { isJsonType } from '../description/media-types.ts'

/** Returns a whole body as it is sent. */
export function toContent(body: unknown, mediaType: string): string | Uint8Array {
  // Connections share bytes; each has its own copy of a text until the client has read it. Those of JSON are
  // the content of a page.
  if (body instanceof Uint8Array) {
    return body
  }
  return isJsonType(mediaType) ? JSON.stringify(body) : String(body)
}
