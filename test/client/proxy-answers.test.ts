import { expect, test } from 'vitest'
import { answer, emptyPage } from './support/behaviours.ts'
import { failureOf } from './support/failure-of.ts'
import type { Behaviour } from './support/scripted-server.ts'
import { startScriptedStore } from './support/scripted-store.ts'

const rex = { name: 'Rex', categoryId: 7 }
const page = '<html><body><h1>Somewhere in between</h1></body></html>'
const html = { 'Content-Type': 'text/html' }

/** Sends bytes as they are, and closes the connection. */
function say(text: string): Behaviour {
  return { act: (socket) => socket.end(text) }
}

test.each([500, 502, 503, 504])(
  'a page with %i is asked for again, and then told',
  async (status) => {
    const { store, requests } = await startScriptedStore([answer(status, page, html)])
    const error = await failureOf(store.createPet(rex))
    expect(error).toMatchObject({
      operationId: 'createPet',
      code: 'unexpected_response',
      status,
      message: `The answer to createPet is not of the contract: ${status}, text/html.`,
      details: [],
      attempts: 4,
    })
    expect(requests).toHaveLength(4)
  },
)

const json = { 'Content-Type': 'application/json' }

test.each([
  ['a page', answer(200, page, html)],
  ['a page that calls itself JSON', answer(200, page, json)],
  ['JSON that breaks off', answer(200, '[{"id":1,"name":"Re', json)],
  ['JSON with more behind it', answer(200, '[][]', json)],
  ['the text NaN', answer(200, 'NaN', json)],
  ['the text undefined', answer(200, 'undefined', json)],
  ['nothing, of a length of 0', answer(200, '', json)],
  ['nothing, in chunks', say('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n')],
  ['nothing, until the connection closes', say('HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n')],
  ['JSON that the closed connection cuts off', say('HTTP/1.1 200 OK\r\n\r\n[{"id":')],
  ['bytes that are no UTF-8', answer(200, Buffer.from([0x5b, 0xff, 0xfe, 0x5d]), json)],
])('%s with 200 is told at once, whatever was asked', async (_, behaviour) => {
  const { store, requests } = await startScriptedStore([behaviour])
  const calls = [() => store.listPets(), () => store.getPet(1), () => store.createPet(rex)]
  for (const call of calls) {
    const error = await failureOf(call())
    expect(error).toMatchObject({ code: 'unexpected_response', status: 200, attempts: 1 })
    expect(error.message).toContain('is not of the contract: 200,')
  }
  expect(requests).toHaveLength(3)
})

test.each([301, 302, 303, 307, 308])('a redirect with %i is told, not followed', async (status) => {
  const redirect = answer(status, '', { Location: '/v1/pets' })
  const { store, requests } = await startScriptedStore([redirect, emptyPage])
  const error = await failureOf(store.createPet(rex))
  expect(error).toMatchObject({ code: 'unexpected_response', status, attempts: 1 })
  expect(requests).toHaveLength(1)
})

test('a list that is answered with 204 is not of the contract', async () => {
  const { store, requests } = await startScriptedStore([say('HTTP/1.1 204 No Content\r\n\r\n')])
  const error = await failureOf(store.listPets())
  expect(error).toMatchObject({ code: 'unexpected_response', status: 204, attempts: 1 })
  expect(requests).toHaveLength(1)
})

test('an answer without content is undefined for whoever expects none, beneath the methods too', async () => {
  const { store } = await startScriptedStore([say('HTTP/1.1 204 No Content\r\n\r\n')])
  expect(await store.getPet(1)).toBeUndefined()
  const { data, error, response } = await store.raw.GET('/pets')
  expect([data, error, response.status]).toEqual([undefined, undefined, 204])
  // With middleware, the methods go another way.
  store.raw.use({ onRequest: () => undefined })
  expect(await store.getPet(1)).toBeUndefined()
})

test.each([
  ['another type', answer(200, '[]', html)],
  ['no type', answer(200, '[]')],
  ['a byte order mark', answer(200, '\uFEFF[]', json)],
  ['white space', answer(200, '\r\n [] \r\n', json)],
  ['no length', say('HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n[]')],
  [
    'hints before it',
    say('HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n[]'),
  ],
])('JSON with %s is read', async (_, behaviour) => {
  const { store } = await startScriptedStore([behaviour])
  expect([...(await store.listPets())]).toEqual([])
})

test.each([
  ['what is no HTTP', say('SSH-2.0-OpenSSH_9.6\r\n')],
  ['a status that is no number', say('HTTP/1.1 abc OK\r\n\r\n')],
  ['a header without an end', say('HTTP/1.1 200 OK\r\nContent-Le')],
  ['a length that is no number', say('HTTP/1.1 200 OK\r\nContent-Length: many\r\n\r\n[]')],
  ['a chunk of a broken length', say('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n')],
  ['nothing at all', say('')],
  ['bytes that claim to be compressed', answer(200, '[]', { 'Content-Encoding': 'gzip' })],
])('%s is a failed connection, and another attempt follows', async (_, behaviour) => {
  const { store, requests } = await startScriptedStore([behaviour, behaviour, emptyPage])
  expect([...(await store.listPets())]).toEqual([])
  expect(requests).toHaveLength(3)
  const broken = await startScriptedStore([behaviour])
  const error = await failureOf(broken.store.listPets())
  expect(error).toMatchObject({ code: 'network_error', attempts: 4 })
  expect(error.cause).toBeInstanceOf(Error)
})
