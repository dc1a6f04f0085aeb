import type { Middleware } from 'openapi-fetch'
import { expect, test, vi } from 'vitest'
import { fail, recordClient, saw, succeed } from './support/client.ts'

const tool = { id: 1, ...saw }
const marking: Middleware = { onRequest: ({ request }) => request.headers.set('X-Mark', 'seen') }

test('the methods run middleware from when it is added until it is ejected', async () => {
  const { client, requests } = recordClient(succeed)
  await client.listTools()
  client.raw.use(marking)
  await client.listTools()
  await Array.fromAsync(client.listTools())
  client.raw.eject(marking)
  await client.listTools()
  await client.raw.GET('/tools')
  const marks = requests.map(({ headers }) => headers.get('x-mark'))
  expect(marks).toEqual([null, 'seen', 'seen', null, null])
})

test('middleware runs once a call and may replace the Request, which is retried with its body', async () => {
  const respond = [fail(503), fail(503), () => Response.json(tool, { status: 201 })]
  const { client, requests } = recordClient(respond, { maxRetries: 3 })
  const onRequest = vi.fn(({ request }: { request: Request }) => {
    return new Request(request, { headers: [...request.headers, ['X-Mark', 'other']] })
  })
  const onResponse = vi.fn()
  client.raw.use({ onRequest, onResponse })
  expect(await client.createTool(saw)).toEqual(tool)
  expect(await Promise.all(requests.map((request) => request.json()))).toEqual([saw, saw, saw])
  const sent = requests.map(({ headers }) => headers.get('x-mark'))
  expect(sent).toEqual(['other', 'other', 'other'])
  expect(onRequest).toHaveBeenCalledTimes(1)
  expect(onResponse).toHaveBeenCalledTimes(1)
  expect(onResponse.mock.calls[0]?.[0].response.status).toBe(201)
})
