import {
  dehydrate,
  hydrate,
  InfiniteQueryObserver,
  MutationObserver,
  QueryClient,
} from '@tanstack/react-query'
import { expect, onTestFinished, test } from 'vitest'
import { createClient } from '../../../client/client.ts'
import { ApiError } from '../../../client/errors.ts'
import { createAnyList } from '../../../client/page-styles.ts'
import { createOperationQueries } from '../../../client/query-options.ts'
import { createValueStream } from '../../../client/value-stream.ts'
import { createQueries } from '../../fixture-api/react-query.ts'
import { startTestService } from '../../helpers/service.ts'
import {
  apiKey,
  baseUrl,
  fail,
  lost,
  type Respond,
  reasonOf,
  recordClient,
  saw,
  stall,
} from './support/client.ts'

/** Creates a cache of queries; it retries as React Query does in a browser, at once. */
function createCache(): QueryClient {
  const usual = { retry: 3, retryDelay: 0 }
  const cache = new QueryClient({ defaultOptions: { queries: usual, mutations: usual } })
  onTestFinished(() => cache.clear())
  return cache
}

/** Starts a service with tools, and creates the queries of a client of it; records the requests. */
async function startTools(count: number) {
  const { baseUrl, apiKey } = await startTestService()
  const recorded = recordClient((request) => fetch(request), { baseUrl, apiKey })
  for (let added = 0; added < count; added++) {
    await recorded.client.createTool(saw)
  }
  recorded.requests.length = 0
  return { ...recorded, queries: createQueries(recorded.client) }
}

const idsIn = (pages: readonly { items: readonly { id: number }[] }[] = []) => {
  return pages.map(({ items }) => items.map(({ id }) => id))
}

test('five pages and the query of the sixth survive dehydration through JSON', async () => {
  const { queries, requests } = await startTools(11)
  const options = queries.listTools.infiniteQueryOptions({ limit: 2, kind: 'saw' })
  const server = createCache()
  await server.prefetchInfiniteQuery({ ...options, pages: 5 })
  expect(requests).toHaveLength(5)

  const browser = createCache()
  hydrate(browser, JSON.parse(JSON.stringify(dehydrate(server))))
  const { pages, pageParams } = browser.getQueryData(options.queryKey) ?? {}
  expect(idsIn(pages)).toEqual([
    [1, 2],
    [3, 4],
    [5, 6],
    [7, 8],
    [9, 10],
  ])
  expect(pageParams?.[0]).toEqual({ limit: 2, kind: 'saw' })

  const observer = new InfiniteQueryObserver(browser, { ...options, staleTime: Infinity })
  expect(observer.getCurrentResult().hasNextPage).toBe(true)
  const { data, hasNextPage } = await observer.fetchNextPage()
  expect(idsIn(data?.pages).flat()).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11])
  expect(hasNextPage).toBe(false)
  expect(requests).toHaveLength(6)
})

test('a query of a list has its page as an object that JSON keeps', async () => {
  const { queries } = await startTools(3)
  const cache = createCache()
  const page = await cache.fetchQuery(queries.listTools.queryOptions({ limit: 2 }))
  expect(idsIn([page])).toEqual([[1, 2]])
  expect(JSON.parse(JSON.stringify(page))).toEqual(page)

  const last = await cache.fetchQuery(queries.listTools.queryOptions(page.next))
  expect(idsIn([last])).toEqual([[3]])
  expect(last).not.toHaveProperty('next')
})

test('keys are made of the operationId and the arguments, without options and without what is empty', () => {
  const { client } = recordClient(fail(500))
  const { getTool, getLoan, listTools, getOpeningHours } = createQueries(client)
  expect(getTool.queryOptions(1).queryKey).toEqual(['getTool', { path: { toolId: 1 } }])
  const loan = { path: { member: 'ann', number: 7 } }
  expect(getLoan.queryOptions('ann', 7, { timeout: 5 }).queryKey).toEqual(['getLoan', loan])
  expect(getOpeningHours.queryOptions().queryKey).toEqual(['getOpeningHours'])

  const query = { kind: 'saw' } as const
  const headers = { Authorization: 'Bearer secret' }
  expect(listTools.queryOptions(query, { headers }).queryKey).toEqual(['listTools', { query }])
  expect(listTools.infiniteQueryOptions(query).queryKey).toEqual([
    'listTools',
    { query, pages: true },
  ])

  const { getTool: prefixed } = createQueries(client, { keyPrefix: ['lending', 2] })
  expect(prefixed.queryKey(1)).toEqual(['lending', 2, 'getTool', { path: { toolId: 1 } }])
})

test('the key without arguments invalidates all queries of an operation, with arguments those that have them', async () => {
  const { queries } = await startTools(1)
  const cache = createCache()
  const { listTools, getTool } = queries
  await cache.prefetchQuery(listTools.queryOptions({ kind: 'saw', limit: 5 }))
  await cache.prefetchQuery(listTools.queryOptions({ kind: 'drill' }))
  await cache.prefetchInfiniteQuery(listTools.infiniteQueryOptions({ kind: 'saw' }))
  await cache.prefetchQuery(getTool.queryOptions(1))
  const stale = () => {
    const found = cache.getQueryCache().findAll({ predicate: ({ state }) => state.isInvalidated })
    return found.length
  }

  await cache.invalidateQueries({ queryKey: listTools.queryKey({ kind: 'saw' }) })
  expect(stale()).toBe(2)
  await cache.invalidateQueries({ queryKey: listTools.queryKey() })
  expect(stale()).toBe(3)
})

test.for<readonly [what: string, respond: Respond]>([
  ['an error response', fail(503)],
  ['a lost connection', lost],
])('the client alone retries after %s', async ([, respond]) => {
  const { client, requests } = recordClient(respond, {}, { maxRetries: 2, maxRetryDelay: 0 })
  const queries = createQueries(client)
  const error = await reasonOf(createCache().fetchQuery(queries.getTool.queryOptions(1)))
  expect(error).toMatchObject({ name: 'ToolLibraryError', attempts: 3 })
  expect(requests).toHaveLength(3)

  const create = new MutationObserver(createCache(), queries.createTool.mutationOptions())
  expect(await reasonOf(create.mutate([saw]))).toMatchObject({ attempts: 3 })
  expect(requests).toHaveLength(6)
})

test('a query that is cancelled cancels its request', async () => {
  const { client, requests } = recordClient(stall)
  const { queryKey, ...options } = createQueries(client).listTools.queryOptions()
  const cache = createCache()
  const query = reasonOf(cache.fetchQuery({ queryKey, ...options }))
  await expect.poll(() => requests.length).toBe(1)
  await cache.cancelQueries({ queryKey })
  expect(await query).toMatchObject({ message: 'CancelledError' })
  expect(requests[0]?.signal.aborted).toBe(true)
})

test('a mutation takes the arguments of its method as a list', async () => {
  const { queries, requests } = await startTools(1)
  const cache = createCache()
  const replace = new MutationObserver(cache, queries.replaceTool.mutationOptions())
  const headers = { 'X-Request-Id': 'from-a-mutation' }
  expect(await replace.mutate([1, { ...saw, name: 'Kataba' }, { headers }])).toMatchObject({
    id: 1,
    name: 'Kataba',
  })
  expect(requests[0]?.headers.get('x-request-id')).toBe('from-a-mutation')

  const remove = new MutationObserver(cache, queries.deleteTool.mutationOptions())
  expect(await remove.mutate([1])).toBeUndefined()
})

/** What a test calls of the options of an operation. */
interface Options {
  queryOptions(): Parameters<QueryClient['fetchQuery']>[0]
}

test('a page has the body around its items, a response without content is null, a stream has no options', async () => {
  const pages = { style: 'cursor', items: '/items', parameter: 'after', next: '/next' } as const
  const operations = {
    list: {
      method: 'get',
      path: '/list',
      query: true,
      pages: { ...pages, createList: createAnyList },
    },
    follow: {
      method: 'get',
      path: '/follow',
      pages: { style: 'link', createList: createAnyList },
    },
    check: { method: 'head', path: '/check' },
    watch: {
      method: 'get',
      path: '/watch',
      responses: {
        items: { type: 'application/jsonl' },
        read: () => undefined,
        createResult: createValueStream,
      },
    },
  } as const
  const body = { items: [1, 2], next: 'b', total: 4 }
  const respond: Respond = ({ method }) => {
    return method === 'HEAD' ? new Response(null, { status: 204 }) : Response.json(body)
  }
  const options = { baseUrl, apiKey, fetch: async (request: Request) => respond(request, 1) }
  const client = createClient<Record<keyof typeof operations | 'raw', unknown>>(
    options,
    operations,
    ApiError,
  )
  const queries = createOperationQueries<Record<string, Options>>(client, operations, {})
  const had = Object.entries(queries).map(([name, each]) => [name, Object.keys(each)])
  expect(had).toEqual([
    ['list', ['queryKey', 'queryOptions', 'infiniteQueryOptions']],
    // Its next query has no argument.
    ['follow', ['queryKey', 'queryOptions']],
    ['check', ['queryKey', 'queryOptions']],
  ])

  const fetched = async (name: string) => {
    const { queryOptions } = queries[name] ?? expect.fail(name)
    return createCache().fetchQuery(queryOptions())
  }
  expect(await fetched('list')).toEqual({ items: [1, 2], next: { after: 'b' }, body })
  // React Query takes undefined for an error.
  expect(await fetched('check')).toBeNull()
})
