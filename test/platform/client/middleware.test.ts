import type { Middleware } from 'openapi-fetch'
import { expect, test, vi } from 'vitest'
import { fail, recordClient, rex, succeed } from './support/client.ts'

const pet = { id: 1, ...rex }
const marking: Middleware = { onRequest: ({ request }) => request.headers.set('X-Mark', 'seen') }

test('the methods run middleware from when it is added until it is ejected', async () => {
  const { store, requests } = recordClient(succeed)
  await store.listPets()
  store.raw.use(marking)
  await store.listPets()
  await Array.fromAsync(store.listPets())
  store.raw.eject(marking)
  await store.listPets()
  await store.raw.GET('/pets')
  const marks = requests.map(({ headers }) => headers.get('x-mark'))
  expect(marks).toEqual([null, 'seen', 'seen', null, null])
})

test('middleware runs once a call and may replace the Request, which is retried with its body', async () => {
  const respond = [fail(503), fail(503), () => Response.json(pet, { status: 201 })]
  const { store, requests } = recordClient(respond, { maxRetries: 3 })
  const onRequest = vi.fn(({ request }: { request: Request }) => {
    return new Request(request, { headers: [...request.headers, ['X-Mark', 'other']] })
  })
  const onResponse = vi.fn()
  store.raw.use({ onRequest, onResponse })
  expect(await store.createPet(rex)).toEqual(pet)
  expect(await Promise.all(requests.map((request) => request.json()))).toEqual([rex, rex, rex])
  const sent = requests.map(({ headers }) => headers.get('x-mark'))
  expect(sent).toEqual(['other', 'other', 'other'])
  expect(onRequest).toHaveBeenCalledTimes(1)
  expect(onResponse).toHaveBeenCalledTimes(1)
  expect(onResponse.mock.calls[0]?.[0].response.status).toBe(201)
})
