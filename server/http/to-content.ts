import type { ContentKind } from '../description/content-kind.ts'

/** Returns a whole body as content of its kind is sent. */
export function toContent(body: unknown, kind: ContentKind): string | Uint8Array {
  // Connections share bytes; each has its own copy of a text until the client has read it. Those of JSON are
  // the content of a page.
  if (body instanceof Uint8Array) {
    return body
  }
  return kind === 'json' ? JSON.stringify(body) : String(body)
}
