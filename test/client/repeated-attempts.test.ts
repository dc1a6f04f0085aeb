import { once } from 'node:events'
import { createServer } from 'node:net'
import { inspect } from 'node:util'
import { expect, test } from 'vitest'
import {
  answer,
  answerEndlessly,
  closeAfter,
  created,
  emptyPage,
  refuse,
  resetAfter,
  resetBefore,
  truncated,
  truncatedChunks,
} from './support/behaviours.ts'
import { failureOf } from './support/failure-of.ts'
import { startScriptedStore } from './support/scripted-store.ts'

const html = '<html><body>Bad gateway</body></html>'

test.each([
  ['408', refuse(408)],
  ['408 with which the connection is closed', closeAfter(refuse(408, { Connection: 'close' }))],
  ['429', refuse(429)],
  ['500', refuse(500)],
  ['502', refuse(502)],
  ['502 with the page of a proxy', answer(502, html, { 'Content-Type': 'text/html' })],
  ['503', refuse(503)],
  ['503 without a body', answer(503)],
  ['503 with a body that never ends', answerEndlessly(503)],
  ['504', refuse(504)],
  ['409 with a time', refuse(409, { 'Retry-After': '0' })],
  ['a connection reset before the request was read', resetBefore],
  ['a connection reset after the request was read', resetAfter],
  ['an answer cut off before its length', truncated],
  ['an answer without its last chunk', truncatedChunks],
])('%s is followed by other attempts, until one succeeds', async (_, fault) => {
  const list = await startScriptedStore([fault, fault, emptyPage])
  expect([...(await list.store.listPets())]).toEqual([])
  expect(list.requests).toHaveLength(3)
  const create = await startScriptedStore([fault, fault, fault, created])
  expect(await create.store.createPet({ name: 'Rex', categoryId: 7 })).toMatchObject({ id: 1 })
  expect(create.requests).toHaveLength(4)
})

test.each([400, 401, 403, 404, 405, 406, 409, 413, 415, 422, 501])(
  '%i is not asked again',
  async (status) => {
    const { store, requests } = await startScriptedStore([refuse(status), emptyPage])
    await expect(store.listPets()).rejects.toMatchObject({
      name: 'AnimalStoreError',
      status,
      attempts: 1,
    })
    await expect(store.raw.GET('/pets')).resolves.toMatchObject({ data: [] })
    expect(requests).toHaveLength(2)
  },
)

test('after the last attempt the error is that of the last answer, and tells their number', async () => {
  const faults = [resetAfter, refuse(503), truncated, refuse(504, { 'X-Request-Id': 'last' })]
  const { store, requests } = await startScriptedStore([...faults, emptyPage])
  await expect(store.listPets()).rejects.toMatchObject({
    operationId: 'listPets',
    code: 'code_504',
    message: 'Refused: 504.',
    status: 504,
    requestId: 'last',
    attempts: 4,
  })
  expect(requests).toHaveLength(4)
})

test.each([
  ['is reset', resetAfter],
  ['is cut off', truncated],
])('when every connection %s, the error has the cause and no status', async (_, fault) => {
  const { store, requests } = await startScriptedStore([fault])
  const error = await failureOf(store.getPet(1))
  expect(error).toMatchObject({ operationId: 'getPet', code: 'network_error', attempts: 4 })
  expect(error.message).toBe('No answer to getPet came (attempts: 4).')
  expect(error.status).toBeUndefined()
  expect(error.cause).toBeInstanceOf(TypeError)
  expect(requests).toHaveLength(4)
})

test('where nobody listens, the error has the cause and no status', async () => {
  // A port that was free a moment ago.
  const listener = createServer().listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const address = listener.address()
  const port = typeof address === 'object' ? address?.port : undefined
  await new Promise((resolve) => listener.close(resolve))
  const { store } = await startScriptedStore([], { baseUrl: `http://127.0.0.1:${port}/v1` })
  const error = await failureOf(store.getPet(1))
  expect(error).toMatchObject({ code: 'network_error', attempts: 4 })
  expect(error.status).toBeUndefined()
  expect(inspect(error)).toContain('ECONNREFUSED')
})
