import { expect, test } from 'vitest'
import type { PagedList } from '../../fixture-api/client.ts'
import { nextLinks } from '../../helpers/next-links.ts'
import { fail, failureOf, type Respond, recordClient, saw } from './support/client.ts'

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1)
const idsOf = (tools: readonly { id: number }[]) => tools.map(({ id }) => id)

/** Responds with pages of so many tools, two a page. */
function pagesOf(count: number): Respond {
  return ({ url }) => {
    const after = Number(new URL(url).searchParams.get('cursor') ?? 0)
    const tools = upTo(count).slice(after, after + 2)
    const response = Response.json(tools.map((id) => ({ id, ...saw })))
    if (after + 2 < count) {
      response.headers.set('Link', `</v2/tools?cursor=${after + 2}>; rel="next"`)
    }
    return response
  }
}

test('an awaited list is the array of its first page, with the query of the next', async () => {
  const { client, requests } = recordClient(pagesOf(3))
  const list = client.listTools({ limit: 2 })
  const pages = list.pages()
  const first = await list
  expect(Array.isArray(first)).toBe(true)
  expect(first).toBe(await list)
  expect(idsOf(first)).toEqual([1, 2])
  expect(first.next).toEqual({ limit: 2, cursor: '2' })
  const second = await client.listTools(first.next)
  expect([idsOf(second), second.next]).toEqual([[3], undefined])
  // The first page of a list is requested once, whatever is made of it.
  await pages.next()
  expect(requests).toHaveLength(2)
  const both = await Promise.all([Array.fromAsync(list), Array.fromAsync(list)])
  expect(both.map(idsOf)).toEqual([upTo(3), upTo(3)])
  expect(requests).toHaveLength(4)
})

test('the error of a list whose loop begins later is that of the loop, and not unhandled', async () => {
  const { client } = recordClient(fail(400))
  const loops = [client.listTools().pages(), client.listTools()[Symbol.asyncIterator]()]
  // Vitest reports an unhandled rejection.
  for (let round = 0; round < 3; round++) {
    await new Promise(setImmediate)
  }
  for (const loop of loops) {
    expect(await failureOf(loop.next())).toMatchObject({ status: 400 })
  }
})

test('a loop that breaks causes no further request', async () => {
  const { client, requests } = recordClient(pagesOf(9))
  for await (const { id } of client.listTools()) {
    if (id === 2) {
      break
    }
  }
  expect(requests).toHaveLength(1)
  for await (const _ of client.listTools().pages()) {
    break
  }
  expect(requests).toHaveLength(2)
})

const endless = pagesOf(1_000)

/** Iterates a list to its end; returns what came and what was thrown. */
async function iterate(items: PagedList<{ id: number }, unknown>) {
  const ids: number[] = []
  try {
    for await (const { id } of items) {
      ids.push(id)
    }
  } catch (error) {
    return { ids, error }
  }
  return { ids }
}

test('a list with more than maxPages ends with an error after the last of them', async () => {
  const { client, requests } = recordClient(endless)
  const { ids, error } = await iterate(client.listTools({}, { maxPages: 3 }))
  expect(ids).toEqual([1, 2, 3, 4, 5, 6])
  expect(requests).toHaveLength(3)
  const known = { code: 'too_many_pages', operationId: 'listTools' }
  expect(error).toMatchObject({ name: 'ToolLibraryError', ...known })
  const { client: exact } = recordClient(pagesOf(6))
  expect(await iterate(exact.listTools({}, { maxPages: 3 }))).toEqual({ ids })
})

test('an abort between two pages, or two tools, ends the loop, and nothing more is sent', async () => {
  const { client, requests } = recordClient(endless)
  const controller = new AbortController()
  const list = client.listTools({}, { signal: controller.signal })
  const pages = list.pages()
  const items = list[Symbol.asyncIterator]()
  await pages.next()
  await items.next()
  controller.abort('enough')
  await expect(pages.next()).rejects.toBe('enough')
  await expect(items.next()).rejects.toBe('enough')
  expect(await pages.next()).toEqual({ done: true, value: undefined })
  await expect(list.pages().next()).rejects.toBe('enough')
  expect(await iterate(list)).toEqual({ ids: [], error: 'enough' })
  expect(requests).toHaveLength(1)
})

test('a page is retried, and an error on the third page keeps the tools before it', async () => {
  const script = [endless, fail(503), endless, fail(400)]
  const { client } = recordClient(script, { maxRetries: 3 })
  const { ids, error } = await iterate(client.listTools())
  expect(ids).toEqual([1, 2, 3, 4])
  expect(error).toMatchObject({ code: 'code_400', status: 400, operationId: 'listTools' })
})

test.each(nextLinks)(
  'a next link %s leads to the page of its cursor, or is none',
  async (_, link, cursor) => {
    const { client } = recordClient(() => Response.json([], { headers: { Link: link } }))
    const { next } = await client.listTools({ kind: 'saw', cursor: 'c1' })
    expect(next).toEqual(cursor && { kind: 'saw', cursor })
  },
)

test.each([
  ['to another host', '<https://other.example/v2/tools?cursor=c2>; rel="next"'],
  ['that is not a URL', '<https://[/v2/tools?cursor=c2>; rel="next"'],
  ['to its own page', '</v2/tools?cursor=c1>; rel="next"'],
])('a next link %s is an unexpected_response', async (_, link) => {
  const { client } = recordClient(() => Response.json([], { headers: { Link: link } }))
  const error = await failureOf(client.listTools({ cursor: 'c1' }))
  expect(error).toMatchObject({ code: 'unexpected_response', status: 200 })
  expect(error.message).toMatch(/^GET \/tools: .*next link/)
})
