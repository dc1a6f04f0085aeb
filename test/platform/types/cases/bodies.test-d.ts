import type { Readable } from 'node:stream'
import type { UploadedFile } from '../../server/contract/content.ts'
import type { OperationInput } from '../../server/contract/handler-input.ts'
import type { Handler } from './api.ts'
import type { operations } from './generated/openapi.d.ts'
import type { operations as rows } from './generated/operations.ts'

type Context<Id extends keyof operations & keyof typeof rows> = Parameters<Handler<Id>>[1]
const { respond: respondDownload, acceptedMediaType } = {} as Context<'download'>
const { respond: respondWatch } = {} as Context<'watch'>
const { respond: respondList } = {} as Context<'list'>

// The media type of a body says what it is.
declare const input: OperationInput<operations, typeof rows, 'upload'>
if (input.mediaType === 'multipart/form-data') {
  const { photo, others, title, details } = input.body
  const files: readonly UploadedFile[] = [photo, ...(others ?? [])]
  const texts: readonly [string, number | undefined] = [title, details?.id]
  void [files, texts]
} else if (input.mediaType === 'application/x-www-form-urlencoded') {
  const title: string = input.body.title
  void title
} else if (input.mediaType === 'image/png') {
  const bytes: Readable = input.body
  void bytes
} else {
  const text: string = input.body
  void text
}

// Lines are values, and events are bytes.
declare const all: OperationInput<operations, typeof rows, 'addAll'>
if (all.mediaType === 'application/jsonl') {
  for await (const { id } of all.body) {
    const received: number = id
    void received
  }
} else {
  const bytes: Readable = all.body
  void bytes
}

// Bytes and texts are whole, or come in parts.
declare const readable: Readable
declare const webStream: ReadableStream<Uint8Array>
declare const texts: AsyncGenerator<string>
respondDownload(200, Buffer.from('a'), { 'Content-Type': acceptedMediaType })
respondDownload(200, new Uint8Array(1), { 'Content-Length': 1 })
respondDownload(200, readable)
respondDownload(200, webStream)
respondDownload(200, 'a,b', { 'Content-Type': 'text/csv' })
respondDownload(200, texts, { 'Content-Type': 'text/csv' })
// @ts-expect-error a number is neither bytes nor a text
respondDownload(200, 7)

// Each item has the type that is declared, and no field more.
declare const events: AsyncGenerator<{ id: string; data: { id: number } }>
declare const eventsOfTexts: AsyncGenerator<{ data: string }>
declare const items: AsyncGenerator<{ id: number }, void, undefined>
declare const itemsWithMore: AsyncGenerator<{ id: number; secret: string }>
respondWatch(200, events)
respondList(200, items)
// @ts-expect-error the data is an item
respondWatch(200, eventsOfTexts)
// @ts-expect-error secret is not declared
respondList(200, itemsWithMore)
// @ts-expect-error a list is no stream
respondList(200, [{ id: 1 }])
