import type { Content, WriteContent } from './request-content.ts'
import { type BytesBody, writeBytes } from './uploads.ts'

/** Values to send, one a line; or their bytes. An `AsyncIterable` can be sent once: its call is not retried. */
export type LinesBody<Items> =
  | BytesBody
  | (Items extends AsyncIterable<infer Item> ? readonly Item[] | AsyncIterable<Item> : never)

/** Writes values as lines of JSON, or as a JSON text sequence (RFC 7464). */
export const writeLines: WriteContent = (body, type, content) => {
  const start = /[/+]json-seq$/.test(type) ? '\u001e' : ''
  const print = (item: unknown) => `${start}${JSON.stringify(item)}\n`
  if (Array.isArray(body)) {
    return { body: body.map(print).join(''), type }
  }
  const isItems = isIterable(body) && !(body instanceof ReadableStream)
  return isItems
    ? { body: toStream(body, print) as Content, type, isOnce: true }
    : writeBytes(body, type, content)
}

function isIterable(body: unknown): body is AsyncIterable<unknown> {
  return typeof body === 'object' && body !== null && Symbol.asyncIterator in body
}

/** Returns the bytes of items, each of which is asked for when the connection takes more. */
function toStream(
  items: AsyncIterable<unknown>,
  print: (item: unknown) => string,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  const iterator = items[Symbol.asyncIterator]()
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await iterator.next()
      if (done) {
        controller.close()
      } else {
        controller.enqueue(encoder.encode(print(value)))
      }
    },
    async cancel() {
      await iterator.return?.()
    },
  })
}
