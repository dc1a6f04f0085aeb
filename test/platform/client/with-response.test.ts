import { expect, test } from 'vitest'
import { startTestService } from '../../helpers/service.ts'
import { fail, failureOf, recordClient, saw } from './support/client.ts'

test('withResponse gives the data with the response, its request id and the rate limit', async () => {
  const { baseUrl, apiKey } = await startTestService()
  const { client, requests } = recordClient((request) => fetch(request), { baseUrl, apiKey })
  const { data: tool, response, requestId, rateLimit } = await client.createTool(saw).withResponse()
  expect(tool).toEqual({ id: 1, ...saw })
  expect(response.status).toBe(201)
  expect(requestId).toBe(response.headers.get('x-request-id'))
  expect(requestId).toMatch(/^[0-9a-f-]{36}$/)
  expect(rateLimit).toEqual({ limit: 1e6, remaining: 1e6 - 1, reset: expect.any(Date) })

  // The request is sent once, whatever is made of the call.
  const list = client.listTools({ limit: 1 })
  const { data: page } = await list.withResponse()
  expect(await list).toBe(page)
  expect(await Array.fromAsync(list)).toEqual([tool])
  const call = client.getTool(1)
  const [both, again, own] = await Promise.all([call.withResponse(), call.withResponse(), call])
  expect(both).toBe(again)
  expect(both.data).toBe(own)
  expect(requests).toHaveLength(3)
})

test('withResponse of a call that fails rejects with its error, and nothing else does', async () => {
  const { client } = recordClient(fail(404))
  expect(await failureOf(client.getTool(1).withResponse())).toMatchObject({ code: 'code_404' })
  expect(await failureOf(client.listTools().withResponse())).toMatchObject({ code: 'code_404' })
  // An unhandled rejection fails the run.
  await new Promise(setImmediate)
})

test('withResponse gives the headers that the operation declares, with their types', async () => {
  const { baseUrl, apiKey } = await startTestService()
  const { client } = recordClient((request) => fetch(request), { baseUrl, apiKey })
  await client.createTool(saw)
  const { headers, response } = await client.listTools().withResponse()
  expect(headers).toEqual({ 'X-Total': 1 })
  expect(response.headers.get('x-total')).toBe('1')
  expect(await client.getTool(1).withResponse()).not.toHaveProperty('headers')
})
