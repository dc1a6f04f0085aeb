import type { Readable } from 'node:stream'

/** A file of a form: its bytes are in memory or, beyond a small size, on the disk until the response is sent. */
export interface UploadedFile {
  /** The name that the client gave it, without folders; undefined if it gave none. */
  readonly name: string | undefined
  /** The media type that the client gave it, such as `image/png`. */
  readonly mediaType: string
  /** In bytes. */
  readonly size: number
  /** Returns its bytes, from the first one on. */
  stream(): Readable
}

/** Bytes of a response: all of them, or in parts as they become available. */
export type Bytes = Uint8Array | AsyncIterable<Uint8Array>

/** Text of a response: all of it, or in parts. */
export type Text = string | AsyncIterable<string>

/** Returns whether a body has parts that become available one after the other. */
export function isStreamed(body: unknown): body is AsyncIterable<unknown> {
  return typeof body === 'object' && body !== null && Symbol.asyncIterator in body
}

/**
 * A body as a handler receives it, by its media type and by its type in `generated/openapi.d.ts`. Bytes and events are
 * a stream, which ends with an error if the client breaks off or sends more than `x-max-bytes`. Lines of JSON are
 * values, each of which is validated when it is read: an invalid one is an error, with which the response is 400.
 *
 * @example ReceivedBody<'image/png', Blob> // Readable
 * @example ReceivedBody<'multipart/form-data', { photo: Blob; title: string }>
 *   // { photo: UploadedFile; title: string }
 * @example ReceivedBody<'application/jsonl', AsyncIterable<Row>> // AsyncIterable<Row>
 */
export type ReceivedBody<MediaType, Body> = MediaType extends `multipart/form-data${string}`
  ? ReceivedFields<Body>
  : Body extends Blob
    ? Readable
    : MediaType extends `text/event-stream${string}`
      ? Readable
      : Body

type ReceivedFields<Fields> = Fields extends unknown
  ? { [Name in keyof Fields]: ReceivedField<Fields[Name]> }
  : never

type ReceivedField<Value> = Value extends Blob
  ? UploadedFile
  : Value extends readonly Blob[]
    ? UploadedFile[]
    : Value

/**
 * A body as a handler returns it, by its media type and by its type in `generated/openapi.d.ts`.
 *
 * @example SentBody<'image/png', Blob> // Bytes
 * @example SentBody<'text/csv', string> // Text
 * @example SentBody<'text/event-stream', AsyncIterable<Price>> // AsyncIterable<Price>
 */
export type SentBody<MediaType, Body> = Body extends Blob
  ? Bytes
  : MediaType extends `${string}json${string}` | '*/*' | 'application/*'
    ? Body
    : Body extends string
      ? Text
      : Body
