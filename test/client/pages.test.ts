import { createServer } from 'node:http'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { AnimalStoreError, PagedList } from '../../client/index.ts'
import { startTestService, type TestService } from '../helpers/service.ts'
import {
  baseUrl,
  failureOf,
  json,
  type Respond,
  watch,
  watchService,
} from './support/watched-store.ts'

/** Starts a service with some pets, of which every second one is sold. */
async function startWith(count: number): Promise<TestService> {
  const service = await startTestService()
  for (const number of upTo(count)) {
    const status = number % 2 === 0 ? 'sold' : 'available'
    await service.client.createPet({ name: 'Rex', categoryId: 7, status })
  }
  return service
}

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1)
const idsOf = (pets: readonly { id: number }[]) => pets.map(({ id }) => id)

test('an awaited list is the array of its first page, with the query of the next', async () => {
  const { client } = await startWith(5)
  const first = await client.listPets({ limit: 3 })
  expect(Array.isArray(first)).toBe(true)
  expect(idsOf(first)).toEqual([1, 2, 3])
  expect(first.next).toEqual({ limit: 3, cursor: expect.any(String) })
  const second = await client.listPets(first.next)
  expect(idsOf(second)).toEqual([4, 5])
  expect(second.next).toBeUndefined()
})

test('iterating a list gives every pet once and in order while others are added', async () => {
  const service = await startWith(10)
  const ids: number[] = []
  for await (const { id } of watchService(service).store.listPets({ limit: 3 })) {
    if (ids.push(id) <= 10) await service.client.createPet({ name: 'Mia', categoryId: 7 })
  }
  expect(ids.slice(0, 10)).toEqual(upTo(10))
  expect(ids).toEqual(upTo(ids.length))
})

test('pages() gives page by page, and keeps the filter and the limit', async () => {
  const { store, requests } = watchService(await startWith(10))
  const pages = await Array.fromAsync(store.listPets({ limit: 2, status: 'sold' }).pages())
  expect(pages.map(idsOf)).toEqual([[2, 4], [6, 8], [10]])
  const queries = requests.map(({ url }) => new URL(url).searchParams)
  expect(queries.map((query) => query.get('status'))).toEqual(['sold', 'sold', 'sold'])
  expect(queries.map((query) => query.get('limit'))).toEqual(['2', '2', '2'])
})

test('an empty list is one empty page', async () => {
  const { client } = await startTestService()
  const pages = await Array.fromAsync(client.listPets().pages())
  expect(pages.map((page) => [...page])).toEqual([[]])
  expect(await Array.fromAsync(client.listPets())).toEqual([])
})

test('a loop that breaks causes no further request', async () => {
  const { store, requests } = watchService(await startWith(10))
  for await (const { id } of store.listPets({ limit: 3 })) if (id === 3) break
  expect(requests).toHaveLength(1)
  for await (const _ of store.listPets({ limit: 3 }).pages()) break
  expect(requests).toHaveLength(2)
})

test('a list requests its first page once', async () => {
  const { store, requests } = watchService(await startWith(5))
  const list = store.listPets({ limit: 3 })
  const pages = list.pages()
  expect(idsOf(await list)).toEqual([1, 2, 3])
  expect(await list).toBe(await list)
  await pages.next()
  expect(requests).toHaveLength(1)
  expect(idsOf(await Array.fromAsync(list))).toEqual(upTo(5))
  expect(requests).toHaveLength(2)
})

test('a list behaves like a promise', async () => {
  const { client } = await startWith(4)
  const after = vi.fn()
  expect(idsOf(await client.listPets().finally(after))).toEqual(upTo(4))
  expect(await client.listPets().catch(() => 'rejected')).toHaveLength(4)
  const invalid = client.listPets({ limit: -1 })
  expect(await invalid.catch(({ code }: AnimalStoreError) => code)).toBe('invalid_request')
  await expect(invalid.finally(after)).rejects.toMatchObject({ code: 'invalid_request' })
  expect(after).toHaveBeenCalledTimes(2)
  const lists = [client.listPets({ status: 'sold' }), client.listPets({ status: 'available' })]
  const sold = [2, 4]
  expect((await Promise.all(lists)).map(idsOf)).toEqual([sold, [1, 3]])
  const returned = async () => client.listPets({ limit: 1 })
  expect(idsOf(await returned())).toEqual([1])
})

test('one list can be iterated twice at once', async () => {
  const { client } = await startWith(5)
  const list = client.listPets({ limit: 2 })
  const both = await Promise.all([Array.fromAsync(list), Array.fromAsync(list)])
  expect(both.map(idsOf)).toEqual([upTo(5), upTo(5)])
})

test('only lists have pages', async () => {
  const one = watch(() => json({ id: 1, name: 'Rex', categoryId: 7 })).store.getPet(1)
  const list = watch(() => json([])).store.listPets()
  expect([one, list].map((value) => Symbol.asyncIterator in value)).toEqual([false, true])
  await Promise.all([one, list])
})

/** Responds with two pets a page, and never with a last page. */
const endless: Respond = (_, number) => {
  const ids = [2 * number - 1, 2 * number]
  const headers = { Link: `</v1/pets?cursor=c${number}>; rel="next"` }
  return json(
    ids.map((id) => ({ id, name: 'Rex', categoryId: 7 })),
    { headers },
  )
}

/** Iterates a list to its end; returns what came and what was thrown. */
async function iterate(
  items: PagedList<{ id: number }, unknown>,
  onItem: (id: number) => void = () => undefined,
) {
  const ids: number[] = []
  try {
    for await (const { id } of items) {
      ids.push(id)
      onItem(id)
    }
  } catch (error) {
    return { ids, error }
  }
  return { ids }
}

test('a list with more than maxPages ends with an error after the last of them', async () => {
  const { store, requests } = watch(endless)
  const { ids, error } = await iterate(store.listPets({}, { maxPages: 3 }))
  expect(ids).toEqual([1, 2, 3, 4, 5, 6])
  expect(requests).toHaveLength(3)
  expect(error).toMatchObject({
    name: 'AnimalStoreError',
    code: 'too_many_pages',
    operationId: 'listPets',
  })
})

test('a list of exactly maxPages pages ends without an error', async () => {
  const { store } = watch((request, number) => (number < 3 ? endless(request, number) : json([])))
  expect(await iterate(store.listPets({}, { maxPages: 3 }))).toEqual({ ids: [1, 2, 3, 4] })
})

test('an abort between two pets ends the loop before the next', async () => {
  const { store, requests } = watch(endless)
  const [controller, reason] = [new AbortController(), new Error('enough')]
  const { ids, error } = await iterate(store.listPets({}, { signal: controller.signal }), (id) => {
    if (id === 3) controller.abort(reason)
  })
  expect(ids).toEqual([1, 2, 3])
  expect(error).toBe(reason)
  expect(requests).toHaveLength(2)
})

test('an abort between two pages ends the loop, and nothing more is sent', async () => {
  const { store, requests } = watch(endless)
  const controller = new AbortController()
  const list = store.listPets({}, { signal: controller.signal })
  const pages = list.pages()
  await pages.next()
  controller.abort('enough')
  await expect(pages.next()).rejects.toBe('enough')
  expect(await pages.next()).toEqual({ done: true, value: undefined })
  await expect(list.pages().next()).rejects.toBe('enough')
  expect(await iterate(list)).toEqual({ ids: [], error: 'enough' })
  expect(requests).toHaveLength(1)
})

test('an abort during the request for a page ends the loop and that request', async () => {
  const controller = new AbortController()
  const { store, requests } = watch((request, number) => {
    if (number < 2) return endless(request, number)
    controller.abort('enough')
    return new Promise<Response>(() => undefined)
  })
  const { ids, error } = await iterate(store.listPets({}, { signal: controller.signal }))
  expect({ ids, error }).toEqual({ ids: [1, 2], error: 'enough' })
  expect(requests[1]?.signal.aborted).toBe(true)
})

test('an error on the third page keeps the pets before it', async () => {
  const { store } = watch((request, number) =>
    number < 3
      ? endless(request, number)
      : json({ code: 'internal_error', message: 'Failed.' }, { status: 500 }),
  )
  const { ids, error } = await iterate(store.listPets())
  expect(ids).toEqual([1, 2, 3, 4])
  expect(error).toMatchObject({ code: 'internal_error', status: 500, operationId: 'listPets' })
})

test('a page is retried, and the loop continues', async () => {
  const { store } = watch(
    (request, number) => {
      if (number === 2) return json({ code: 'unavailable', message: 'Later.' }, { status: 503 })
      return number === 4 ? json([]) : endless(request, number)
    },
    { retry: { backoff: 0 } },
  )
  expect(await iterate(store.listPets())).toEqual({ ids: [1, 2, 5, 6] })
})

/** Responds to the first request with a page that has these Link fields, then without. */
function watchLink(...fields: readonly string[]) {
  return watch((_, number) => {
    const response = json([{ id: number, name: 'Rex', categoryId: 7 }])
    if (number === 1) for (const field of fields) response.headers.append('Link', field)
    return response
  })
}

test.each<readonly [string, ...string[]]>([
  ['a path', '</v1/pets?cursor=c2>; rel="next"'],
  ['a relative path', '<pets?cursor=c2>; rel="next"'],
  ['a query alone', '<?cursor=c2>; rel="next"'],
  ['a full URL', '<https://animals.example/v1/pets?cursor=c2>; rel="next"'],
  ['a default port', '<https://ANIMALS.example:443/v1/pets?cursor=c2>; rel="next"'],
  ['no quotes', '</v1/pets?cursor=c2>; rel=next'],
  ['no space', '</v1/pets?cursor=c2>;rel="next"'],
  ['more spaces', ' < /v1/pets?cursor=c2 > ; rel = "next" '],
  ['other case', '</v1/pets?cursor=c2>; REL="Next"'],
  ['several relations', '</v1/pets?cursor=c2>; rel="prev next"'],
  ['parameters before', '</v1/pets?cursor=c2>; title="a, b"; type=text/plain; rel="next"'],
  ['parameters after', '</v1/pets?cursor=c2>; rel="next"; title="more"; hreflang=en'],
  ['a second rel, which is ignored', '</v1/pets?cursor=c2>; rel="next"; rel="prev"'],
  ['a link before', '</v1/pets?cursor=c0>; rel="prev", </v1/pets?cursor=c2>; rel="next"'],
  ['a link after', '</v1/pets?cursor=c2>; rel="next", </v1/pets>; rel="first"'],
  ['two fields', '</v1/pets>; rel="first"', '</v1/pets?cursor=c2>; rel="next"'],
  ['other query parameters', '</v1/pets?limit=5&cursor=c2&a=b>; rel="next"'],
  // Only the cursor of the link is used.
  ['a user name', '<https://rex:secret@animals.example/v1/pets?cursor=c2>; rel="next"'],
  ['another path', '</elsewhere?cursor=c2>; rel="next"'],
])('a next link with %s is followed by its cursor', async (_, ...fields) => {
  const { store, requests } = watchLink(...fields)
  expect(await Array.fromAsync(store.listPets({ status: 'sold' }))).toHaveLength(2)
  expect(requests.map(({ url }) => url)).toEqual([
    `${baseUrl}/pets?status=sold`,
    `${baseUrl}/pets?status=sold&cursor=c2`,
  ])
})

test.each([
  ['to another host', '<https://other.example/v1/pets?cursor=c2>; rel="next"'],
  ['to another host without a scheme', '<//other.example/v1/pets?cursor=c2>; rel="next"'],
  ['to another port', '<https://animals.example:8443/v1/pets?cursor=c2>; rel="next"'],
  ['to another scheme', '<http://animals.example/v1/pets?cursor=c2>; rel="next"'],
  ['with a host as user name', '<https://animals.example@other.example/v1?cursor=c2>; rel="next"'],
  ['to a script', '<javascript:alert(1)?cursor=c2>; rel="next"'],
  ['to data', '<data:text/plain,?cursor=c2>; rel="next"'],
  ['without a cursor', '</v1/pets?limit=5>; rel="next"'],
  ['that is empty', '<>; rel="next"'],
  ['that is not a URL', '<https://[/v1/pets?cursor=c2>; rel="next"'],
  ['to its own page', '</v1/pets?cursor=c1>; rel="next"'],
])('a next link %s is an unexpected_response', async (_, field) => {
  const { store, requests } = watchLink(field)
  const error = await failureOf(store.listPets({ cursor: 'c1' }))
  expect(error).toMatchObject({ code: 'unexpected_response', status: 200 })
  expect(error.message).toMatch(/listPets.*next link/)
  expect(requests).toHaveLength(1)
})

test.each([
  ['for another relation', '</v1/pets?cursor=c0>; rel="prev"'],
  ['whose relation only starts with next', '</v1/pets?cursor=c2>; rel="next-archive"'],
  ['whose relation is a URL', '</v1/pets?cursor=c2>; rel="https://animals.example/next"'],
  ['with next in its title', '</v1/pets?cursor=c2>; title="next"'],
  ['without a relation', '</v1/pets?cursor=c2>'],
  ['without brackets', '/v1/pets?cursor=c2; rel="next"'],
  ['without a closing bracket', '</v1/pets?cursor=c2; rel="next"'],
  ['that is empty', ''],
  ['that is long and broken', `<a>${'; a="b"'.repeat(5_000)}; ", <${'<'.repeat(20_000)}`],
])('a link %s leads to no next page', async (_, field) => {
  expect((await watchLink(field).store.listPets()).next).toBeUndefined()
})

test('the server of a link or a redirect never gets the API key', async () => {
  const received: (string | undefined)[] = []
  const other = await listen((authorization) => {
    received.push(authorization)
    return { status: 200, headers: {} }
  })
  const links = await listen(() => {
    return { status: 200, headers: { Link: `<${other}/v1/pets?cursor=c2>; rel="next"` } }
  })
  const { store } = watch((request) => fetch(request), { baseUrl: `${links}/v1` })
  expect(await failureOf(Array.fromAsync(store.listPets()))).toMatchObject({
    code: 'unexpected_response',
  })
  const redirects = await listen(() => ({ status: 307, headers: { Location: `${other}/v1/pets` } }))
  const redirected = watch((request) => fetch(request), { baseUrl: `${redirects}/v1` })
  await redirected.store.listPets().catch(() => undefined)
  expect(received.filter((authorization) => authorization !== undefined)).toEqual([])
})

type Listener = (authorization: string | undefined) => {
  status: number
  headers: Record<string, string>
}

/** Starts a server that responds with an empty list; returns its origin. */
async function listen(listener: Listener): Promise<string> {
  const server = createServer(({ headers: { authorization } }, response) => {
    const { status, headers } = listener(authorization)
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end('[]')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close().closeAllConnections())
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return `http://127.0.0.1:${address.port}`
}
