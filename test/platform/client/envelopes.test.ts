import { expect, test, vi } from 'vitest'
import { createClient } from '../../../client/client.ts'
import { ApiError } from '../../../client/errors.ts'
import { createAnyList } from '../../../client/page-styles.ts'
import type { Pagination } from '../../../client/pagination.ts'
import type { PagedList } from '../../../client/types.ts'
import { apiKey, baseUrl } from './support/client.ts'

interface Item {
  readonly id: number
}
type Query = Readonly<Record<string, unknown>>
interface ListClient {
  readonly raw: unknown
  listItems(query?: Query): PagedList<Item, Query>
}

const all = [1, 2, 3, 4, 5].map((id) => ({ id }))

/** Creates a client of a list whose pages are what a function makes of the query; records the queries. */
function recordList(pages: Pagination, toBody: (query: URLSearchParams) => unknown) {
  const queries: string[] = []
  const list = { ...pages, createList: createAnyList }
  const rows = { listItems: { method: 'get', path: '/items', query: true, pages: list } }
  const client = createClient<ListClient>(
    {
      baseUrl,
      apiKey,
      maxRetries: 0,
      fetch: (request) => {
        const { search, searchParams } = new URL(request.url)
        queries.push(search)
        return Promise.resolve(Response.json(toBody(searchParams)))
      },
    },
    rows,
    ApiError,
  )
  return { client, queries }
}

/** Returns two items from an offset. */
function slice(offset: unknown): readonly Item[] {
  const first = Number(offset ?? 0)
  return all.slice(first, first + 2)
}

/** Returns the offset of the page after one; undefined after the last one. */
function offsetAfter(offset: unknown): number | undefined {
  const next = Number(offset ?? 0) + 2
  return next < all.length ? next : undefined
}

const cursor = { style: 'cursor', items: '/items', parameter: 'after', next: '/next' } as const

test.for<readonly [name: string, end: unknown]>([
  ['null', null],
  ['empty', ''],
  ['missing', undefined],
])('pages with a cursor in the body end where it is %s', async ([, end]) => {
  const { client, queries } = recordList(cursor, (query) => {
    const after = query.get('after')
    const next = offsetAfter(after)
    return { items: slice(after), next: next === undefined ? end : `${next}` }
  })
  expect(await Array.fromAsync(client.listItems({ kind: 'a' }))).toEqual(all)
  expect(queries).toEqual(['?kind=a', '?kind=a&after=2', '?kind=a&after=4'])
})

test('a page of an envelope is the list of its items, with the body and the query of the next page', async () => {
  const body = { data: { list: slice(0) }, paging: { next: 7 }, total: 5 }
  const rows = { ...cursor, items: '/data/list', next: '/paging/next' }
  const page = await recordList(rows, () => body).client.listItems({ limit: 2 })
  expect([...page]).toEqual(slice(0))
  expect(page).toMatchObject({ body, next: { limit: 2, after: 7 } })
  expect(JSON.parse(JSON.stringify(page))).toEqual(slice(0))
})

test('pages end where the body says that there is no more', async () => {
  const rows = { ...cursor, hasMore: '/more' }
  const { client } = recordList(rows, () => ({ items: slice(0), next: 'a', more: false }))
  expect(await Array.fromAsync(client.listItems())).toEqual(slice(0))
})

test('a cursor that does not change, or is no text or number, ends a loop with an error', async () => {
  for (const next of ['a', {}, true]) {
    const { client } = recordList(cursor, () => ({ items: slice(0), next }))
    const items = Array.fromAsync(client.listItems())
    await expect(items).rejects.toThrow('with an invalid next link')
  }
})

test('a link in the body leads to the next page, and only to the same origin', async () => {
  // Node.js 20.0 and browsers of 2023 have no such function.
  vi.spyOn(URL, 'parse').mockImplementation(() => {
    throw new TypeError('URL.parse is not a function')
  })
  const rows = { style: 'body-link', items: '/items', next: '/links/next' } as const
  const { client, queries } = recordList(rows, (query) => {
    const next = offsetAfter(query.get('offset'))
    const links = next === undefined ? {} : { next: `${baseUrl}/items?offset=${next}&kind=a` }
    return { items: slice(query.get('offset')), links }
  })
  expect(await Array.fromAsync(client.listItems({ kind: 'a', ids: [1, 2] }))).toEqual(all)
  expect(queries[1]).toBe('?kind=a&ids=1&ids=2&offset=2')

  for (const next of ['https://other.example/items?a=1', `${baseUrl}/items`, 'http://[']) {
    const other = recordList(rows, () => ({ items: slice(0), links: { next } }))
    const items = Array.fromAsync(other.client.listItems())
    await expect(items).rejects.toThrow('with an invalid next link')
    expect(other.queries).toEqual([''])
  }
})

test('pages with an offset end at a page that is short, at the total, or at an empty page', async () => {
  const rows = { style: 'offset', items: '/items', parameter: 'offset', limit: 'limit' } as const
  const toBody = (query: URLSearchParams) => ({ items: slice(query.get('offset')), total: 5 })
  const ends: readonly (readonly [Pagination, Query, number])[] = [
    [rows, { limit: 2 }, 3],
    [{ ...rows, total: '/total' }, {}, 3],
    [rows, {}, 4],
    [rows, { limit: 2, offset: 4 }, 1],
  ]
  for (const [pages, query, requests] of ends) {
    const { client, queries } = recordList(pages, toBody)
    const items = await Array.fromAsync(client.listItems(query))
    expect(items).toEqual(all.slice(Number(query['offset'] ?? 0)))
    expect(queries).toHaveLength(requests)
  }
})

test('pages with a number begin where the parameter does, and end with the number of pages', async () => {
  for (const start of [0, 1]) {
    const pages = { style: 'page', items: '/items', parameter: 'page', start, totalPages: '/pages' }
    const { client, queries } = recordList(pages as Pagination, (query) => {
      const number = Number(query.get('page') ?? start)
      return { items: slice((number - start) * 2), pages: 3 }
    })
    expect(await Array.fromAsync(client.listItems())).toEqual(all)
    expect(queries).toEqual(['', `?page=${start + 1}`, `?page=${start + 2}`])
  }
})

test('a service that ignores the number of the page ends a loop with an error', async () => {
  const pages = { style: 'page', parameter: 'page', start: 1 } as const
  const { client, queries } = recordList(pages, () => slice(0))
  await expect(Array.fromAsync(client.listItems())).rejects.toThrow('has the same page twice')
  expect(queries).toHaveLength(2)
})

test('an envelope without its items is an empty page, and a body that is none an error', async () => {
  expect(await Array.fromAsync(recordList(cursor, () => ({})).client.listItems())).toEqual([])
  for (const body of [null, 'text', { items: 'text' }]) {
    const items = Array.fromAsync(recordList(cursor, () => body).client.listItems())
    await expect(items).rejects.toThrow('unexpected response')
  }
})
