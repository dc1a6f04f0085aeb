import { client, type Handler } from './api.ts'
import type { paths } from './generated/openapi.d.ts'

export const books: string[] = await client.searchBooks(1, { words: 'saws' })
export const isListed: boolean = await client.listBooks(1)
export const search: Handler<'searchBooks'> = ({ path, body }, { respond }) =>
  respond(200, [body.words ?? '', String(path.id.toFixed())])

type Item = paths['/shelves/{id}/books']
export const none: Item['post'] = undefined
export const query: Item['query']['parameters']['path'] = { id: 1 }

// @ts-expect-error its words are required
client.searchBooks(1, {})
// @ts-expect-error it is not served
client.copyBooks()
