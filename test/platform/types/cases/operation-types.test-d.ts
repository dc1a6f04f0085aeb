import { client } from './api.ts'
import type {
  ErrorBodies,
  ErrorBody,
  ErrorBody_,
  GetCoverPath,
  HeadersResult_,
  ListBooksCookies,
  ListBooksHeaders,
  ListBooksPath,
  ListBooksQuery,
  Mistake,
  NoShelf,
  TakenPath,
  TakenQuery,
  TakenQuery_,
} from './generated/calls.ts'

// Parameters.
const query: ListBooksQuery = { limit: 5, sort: 'title' }
const headers: ListBooksHeaders = { 'X-Reader': 'ann' }
const cookies: ListBooksCookies = { theme: 'dark' }
const path: ListBooksPath = { shelf: 'a' }
const call = client.listBooks(path.shelf, query, { headers, cookies })
client.listBooks('a', { sort: 'year' }, { cookies, headers: undefined })
export const cover: GetCoverPath['cover'] = 5
// @ts-expect-error a limit is a number
export const text: ListBooksQuery = { limit: '5', sort: 'title' }
// @ts-expect-error the order is required
export const unsorted: ListBooksQuery = {}
// @ts-expect-error there is no such parameter
export const other: ListBooksQuery = { sort: 'title', colour: 'red' }
// @ts-expect-error the theme is required
client.listBooks('a', { sort: 'year' })

// Bodies of errors: of all, by status, a range and the rest.
export const noShelf: ErrorBody_<404> = { shelf: 'a' }
export const mistake: ErrorBody_<'4XX'> = { reason: 'none' }
export const failure: ErrorBodies['default'] = 'It failed.'
export const every: ErrorBody_[] = [{ shelf: 'a' }, { reason: 'none' }, 'It failed.', { error: '' }]
export const named: [NoShelf | ErrorBody, Mistake] = [noShelf, mistake]
// @ts-expect-error it has another body
export const wrong: ErrorBody_<'4XX'> = { shelf: 'a' }
// @ts-expect-error no operation has this status
export type NoStatus = ErrorBody_<418>

// Response headers.
const both = await call.withResponse()
// @ts-expect-error a response of 206 has no total
export const total: number = both.headers['X-Total']
export const known: number | undefined = both.headers['X-Total']
export const subjects: string[] | number[] | undefined = both.headers['X-Subjects']
export const from: number | undefined = both.headers['X-Range']?.from
export const facet: string | undefined = both.headers['X-Facets']?.[0]?.name
export const titles: string[] = both.data
export const field: string | null = both.response.headers.get('X-Other')
// @ts-expect-error the platform sends it; it is in the response
both.headers['Link']
const lines = await client.watchLines().withResponse()
export const count: number = lines.headers['X-Count']
const image = await client.getCover(cover).withResponse()
export const size: [number, number] = [image.headers['X-Width'], image.data.size]
const plain = await client.taken(1).withResponse()
// @ts-expect-error this operation has no headers of its own
plain.headers

// A schema keeps its name.
export const schema: TakenQuery = { own: 'a' }
export const parameters: TakenQuery_ = { q: 'a' }
export const id: TakenPath['id'] = 1
export const body: ErrorBody = { error: 'none' }
export const result: HeadersResult_ = { own: 'a' }
