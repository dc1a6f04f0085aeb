import { once } from 'node:events'
import { createServer } from 'node:net'
import { inspect } from 'node:util'
import { afterEach, expect, test, vi } from 'vitest'
import type { AnimalStoreOptions, Retry, RetryOptions } from '../../client/index.ts'
import {
  created,
  emptyPage,
  resetAfter,
  resetBefore,
  respond,
  respondEndlessly,
  respondError,
  sendRaw,
  startScriptedStore,
  truncated,
  truncatedChunks,
} from './support/scripted-server.ts'
import { failureOf, json, watch } from './support/watched-store.ts'

afterEach(() => vi.useRealTimers())
afterEach(() => vi.restoreAllMocks())

const rex = { name: 'Rex', categoryId: 7 }
const html = { 'Content-Type': 'text/html' }
const brokenHead = 'HTTP/1.1 200 OK\r\nContent-Length: many\r\n\r\n[]'
const brokenChunk = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n'

test.each([
  ['408', respondError(408)],
  ['408 and a closed connection', sendRaw('HTTP/1.1 408 Late\r\nConnection: close\r\n\r\n')],
  ['429', respondError(429)],
  ['500', respondError(500)],
  ['502', respondError(502)],
  ['502 with an HTML page', respond(502, '<html></html>', html)],
  ['503', respondError(503)],
  ['503 without a body', respond(503)],
  ['503 with an endless body', respondEndlessly(503)],
  ['504', respondError(504)],
  ['409 with Retry-After', respondError(409, { 'Retry-After': '0' })],
  ['a connection reset before the request was read', resetBefore],
  ['a connection reset after the request was read', resetAfter],
  ['a response shorter than its length', truncated],
  ['a response without its last chunk', truncatedChunks],
  ['a response that is not HTTP', sendRaw('SSH-2.0-OpenSSH_9.6\r\n')],
  ['a status that is not a number', sendRaw('HTTP/1.1 abc OK\r\n\r\n')],
  ['a header without an end', sendRaw('HTTP/1.1 200 OK\r\nContent-Le')],
  ['a length that is not a number', sendRaw(brokenHead)],
  ['a chunk of a broken length', sendRaw(brokenChunk)],
  ['a connection closed without a response', sendRaw('')],
  ['a body that is not compressed as declared', respond(200, '[]', { 'Content-Encoding': 'gzip' })],
])('retries after %s, until an attempt succeeds', async (_, failure) => {
  const list = await startScriptedStore([failure, failure, emptyPage])
  expect([...(await list.store.listPets())]).toEqual([])
  expect(list.requests).toHaveLength(3)
  const create = await startScriptedStore([failure, failure, failure, created])
  expect(await create.store.createPet(rex)).toEqual({ id: 1, ...rex })
  expect(create.requests).toHaveLength(4)
})

test.each([400, 401, 403, 404, 405, 406, 409, 413, 415, 422, 501])(
  'does not retry after %i',
  async (status) => {
    const { store, requests } = await startScriptedStore([respondError(status), emptyPage])
    const error = await failureOf(store.listPets())
    expect(error).toMatchObject({ code: `code_${status}`, status, attempts: 1 })
    await expect(store.raw.GET('/pets')).resolves.toMatchObject({ data: [] })
    expect(requests).toHaveLength(2)
  },
)

test('after the last attempt the error is that of the last response', async () => {
  const last = respondError(504, { 'X-Request-Id': 'last' })
  const failures = [resetAfter, respondError(503), truncated, last]
  const { store, requests } = await startScriptedStore([...failures, emptyPage])
  expect(await failureOf(store.listPets())).toMatchObject({
    operationId: 'listPets',
    code: 'code_504',
    message: 'Error 504.',
    status: 504,
    requestId: 'last',
    attempts: 4,
  })
  expect(requests).toHaveLength(4)
})

test.each([
  ['reset', resetAfter],
  ['cut off', truncated],
  ['no HTTP', sendRaw('SSH-2.0-OpenSSH_9.6\r\n')],
])('network_error has the cause and no status (%s)', async (_, failure) => {
  const { store, requests } = await startScriptedStore([failure])
  const error = await failureOf(store.getPet(1))
  expect(error).toMatchObject({ operationId: 'getPet', code: 'network_error', attempts: 4 })
  expect(error.message).toMatch(/getPet.*4/)
  expect(error.status).toBeUndefined()
  expect(error.cause).toBeInstanceOf(TypeError)
  expect(requests).toHaveLength(4)
})

test('a refused connection is a network_error with the reason', async () => {
  // A port that was free a moment ago.
  const listener = createServer().listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const address = listener.address()
  const port = typeof address === 'object' ? address?.port : undefined
  await new Promise((resolve) => listener.close(resolve))
  const { store } = await startScriptedStore([], { baseUrl: `http://127.0.0.1:${port}/v1` })
  const error = await failureOf(store.getPet(1))
  expect(error).toMatchObject({ code: 'network_error', attempts: 4 })
  expect(inspect(error)).toContain('ECONNREFUSED')
})

test('a response without any body is retried', async () => {
  const { store, requests } = watch(
    (_, number) => (number === 1 ? new Response(null, { status: 503 }) : json([])),
    { retry: { backoff: 0 } },
  )
  expect([...(await store.listPets())]).toEqual([])
  expect(requests).toHaveLength(2)
})

/** Creates a client whose calls always fail and whose waits take no time, and records the waits. */
function watchFailing(options: Partial<AnimalStoreOptions>) {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }).setTimerTickMode('nextTimerAsync')
  const delays: number[] = []
  const body = { code: 'unavailable', message: 'Retry later.', status: 503 }
  const { store, requests } = watch(() => json(body, { status: 503 }), {
    retry: {},
    onRetry: ({ delay }) => delays.push(delay),
    ...options,
  })
  return { store, requests, delays }
}

const almostOne = 1 - 2 ** -53

test.each<[string, number, RetryOptions, number[]]>([
  ['doubles', almostOne, {}, [500, 1_000, 2_000]],
  [
    'is capped at 8 seconds',
    almostOne,
    { attempts: 8 },
    [500, 1_000, 2_000, 4_000, 8_000, 8_000, 8_000],
  ],
  ['is capped by longestBackoff', almostOne, { longestBackoff: 1_500 }, [500, 1_000, 1_500]],
  ['starts at backoff', almostOne, { backoff: 10 }, [10, 20, 40]],
  ['may be 0 by jitter', 0, {}, [0, 0, 0]],
  ['may be anything between by jitter', 0.25, {}, [125, 250, 500]],
  ['is not taken with one attempt', almostOne, { attempts: 1 }, []],
])('the backoff %s', async (_, random, retry, expected) => {
  vi.spyOn(Math, 'random').mockReturnValue(random)
  const { store, requests, delays } = watchFailing({ retry })
  const error = await failureOf(store.listPets())
  expect(delays.map(Math.round)).toEqual(expected)
  expect(Math.max(0, ...delays)).toBeLessThanOrEqual(Math.max(0, ...expected))
  expect(error.attempts).toBe(expected.length + 1)
  expect(requests).toHaveLength(expected.length + 1)
})

test('the backoff stays capped after 1,200 attempts', async () => {
  vi.spyOn(Math, 'random').mockReturnValue(almostOne)
  const retry = { attempts: 1_200, backoff: 1, longestBackoff: 2 }
  const { store, delays } = watchFailing({ retry })
  expect((await failureOf(store.listPets())).attempts).toBe(1_200)
  expect(delays.map(Math.round)).toEqual([1, ...Array(1_198).fill(2)])
})

test('a client without retries sends once, unless a call has retries of its own', async () => {
  const { store, requests } = watchFailing({ retry: false })
  expect((await failureOf(store.listPets())).attempts).toBe(1)
  expect((await store.raw.GET('/pets')).response.status).toBe(503)
  expect(requests).toHaveLength(2)
  expect((await failureOf(store.getPet(1, { retry: { backoff: 1 } }))).attempts).toBe(4)
})

test.each<[RetryOptions | false | undefined, number[]]>([
  [{ backoff: 40 }, [20, 40]],
  [{ attempts: 2 }, [10]],
  [{ longestBackoff: 30 }, [10, 15]],
  [{}, [10, 20]],
  [undefined, [10, 20]],
  [false, []],
])('retry %j of a call overrides the options of the client one by one', async (retry, expected) => {
  vi.spyOn(Math, 'random').mockReturnValue(0.5)
  const { store, delays } = watchFailing({ retry: { attempts: 3, backoff: 20 } })
  await failureOf(store.getPet(1, retry === undefined ? {} : { retry }))
  expect(delays).toEqual(expected)
})

test('onRetry gets the failed attempt, the delay, and the status or cause', async () => {
  const events: Retry[] = []
  const failures = [respond(502, '<html>', html), resetAfter, respondError(429), truncated]
  const { store } = await startScriptedStore([...failures, emptyPage], {
    retry: { attempts: 5, backoff: 2 },
    onRetry: (retry) => events.push(retry),
  })
  vi.spyOn(Math, 'random').mockReturnValue(0.5)
  await store.listPets()
  const [operationId, cause] = ['listPets', expect.any(TypeError)]
  expect(events).toEqual([
    { operationId, attempt: 1, delay: 1, status: 502, cause: undefined },
    { operationId, attempt: 2, delay: 2, status: undefined, cause },
    { operationId, attempt: 3, delay: 4, status: 429, cause: undefined },
    { operationId, attempt: 4, delay: 8, status: undefined, cause },
  ])
})

test('onRetry is not called when nothing is retried', async () => {
  const onRetry = vi.fn()
  const { store } = await startScriptedStore([respondError(400), respondError(503)], { onRetry })
  await failureOf(store.listPets())
  await failureOf(store.listPets({}, { retry: { attempts: 1 } }))
  await store.raw.POST('/pets', { body: rex })
  expect(onRetry).not.toHaveBeenCalled()
})
