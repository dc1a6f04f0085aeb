import { useQuery } from '@tanstack/react-query'
import { client } from './api.ts'
import { createQueries } from './client/react-query.ts'
import type { Book, ItemStream_ } from './generated/calls.ts'

// Bytes are a Blob, or a stream.
export const photo: Blob = await client.getPhoto(1)
export const stream: ReadableStream<Uint8Array> = await client
  .getPhoto(1, { idleTimeout: 7 })
  .stream()
export const { data }: { data: Blob } = await client.getPhoto(1).withResponse()
export const opened: { data: ReadableStream<Uint8Array> } = await client
  .getPhoto(1)
  .stream()
  .withResponse()

// Bytes to send are any of these.
await client.putPhoto(1, new Blob())
await client.putPhoto(1, new File([], 'a.png'))
await client.putPhoto(1, new Uint8Array(), { contentType: 'image/jpeg' })
await client.putPhoto(1, new ArrayBuffer(1))
await client.putPhoto(1, new Blob().stream())
declare const editions: AsyncGenerator<{ title: string }>
await client.putBooks([{ title: 'Saws' }])
await client.putBooks(editions)
await client.putBooks(new Blob())
// @ts-expect-error the title is missing
await client.putBooks([{}])
// @ts-expect-error that is no bytes
await client.putPhoto(1, 'a')
// @ts-expect-error that media type is not declared
await client.putPhoto(1, new Blob(), { contentType: 'image/gif' })

export const book: Book = await client.addAlbum({ title: 'a', cover: new Blob() })
const file = { content: new Uint8Array(), name: 'a.png', type: 'image/png' }
await client.addAlbum({ title: 'a', cover: file, pages: [file, new Blob()], book: { title: 'b' } })
await client.addAlbum(new FormData())
// @ts-expect-error the cover is missing
await client.addAlbum({ title: 'a' })
// @ts-expect-error a book has a title
await client.addAlbum({ title: 'a', cover: file, book: {} })

export const text: string = await client.changeAlbum({ title: 'a' })
await client.changeAlbum('a,b', { contentType: 'text/csv' })
await client.changeAlbum({}, { contentType: 'application/x-www-form-urlencoded' })

for await (const item of client.watchBooks({ lastEventId: '7', idleTimeout: 7 })) {
  const title: string = item.title
  console.log(title)
}
export const books = client.listBooks()
export const next: IteratorResult<Book, void> = await books.next()
// @ts-expect-error lines have no ids
client.listBooks({ lastEventId: '7' })

const events = await client.watchEvents().withResponse()
for await (const { id, data: sent } of events.data) {
  const title: string = sent.title
  console.log(title, id?.length, events.response.status)
}

export const own: ItemStream_ = { a: 'a' }

// The media type that a call chooses decides on its result.
export const usual: Book | undefined = await client.getReport({ year: 1 })
export const named: Book | undefined = await client.getReport({}, { accept: 'application/json' })
export const csv: string | undefined = await client.getReport({}, { accept: 'text/csv' })
export const list: Book[] | undefined = await client.getReport(undefined, {
  accept: 'application/vnd.list+json',
})
export const pdf: Blob | undefined = await client.getReport({}, { accept: 'application/pdf' })
export const pages: ReadableStream<Uint8Array> = await client
  .getReport({}, { accept: 'application/pdf', idleTimeout: 7 })
  .stream()
for await (const item of client.getReport({}, { accept: 'text/event-stream', lastEventId: '7' })) {
  const title: string = item.title
  console.log(title)
}
// @ts-expect-error a report in CSV is a text
export const wrong: Book | undefined = await client.getReport({}, { accept: 'text/csv' })
// @ts-expect-error that media type is not declared
await client.getReport({}, { accept: 'text/html' })
// @ts-expect-error JSON is no stream
await client.getReport().stream()

// The options of React Query are those of the usual content.
export const useReport = (): Book | null | undefined =>
  useQuery(createQueries(client).getReport.queryOptions({ year: 1 })).data
