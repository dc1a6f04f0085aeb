import { expect, test } from 'vitest'
import { createRandom } from '../../helpers/random.ts'
import { startTestService } from '../../helpers/service.ts'
import { fail, lost, type Respond, recordClient, saw, stall, succeed } from './support/client.ts'

test('creates each tool once behind a network with random faults', async () => {
  const { baseUrl, apiKey, client: direct } = await startTestService()
  const random = createRandom(1)
  let lostResponses = 0
  const respond: Respond = async (request) => {
    const fault = Math.floor(random() * 6)
    if (fault === 0) {
      throw new TypeError('lost before the service')
    }
    const response = await fetch(new Request(request.clone(), { signal: null }))
    if (fault > 2) {
      return response
    }
    lostResponses++
    if (fault === 1) {
      throw new TypeError('lost after the service')
    }
    const start = (body: ReadableStreamDefaultController) => body.error(new TypeError('cut off'))
    return new Response(new ReadableStream({ start }), response)
  }
  const { client, requests } = recordClient(respond, { baseUrl, apiKey, maxRetries: 59 })
  const names = Array.from({ length: 60 }, (_, at) => `Säge 🪚 ${at}`)
  const tools = await Promise.all(names.map((name) => client.createTool({ ...saw, name })))
  expect(tools.map(({ name }) => name)).toEqual(names)
  const stored = await Array.fromAsync(direct.listTools())
  expect(stored).toEqual(tools.sort((one, other) => one.id - other.id))
  expect(lostResponses).toBeGreaterThan(20)
  const keys = new Set(requests.map(({ headers }) => headers.get('idempotency-key')))
  expect(keys.size).toBe(60)
  for (const key of keys) {
    expect(key).toMatch(/^\S{16,}$/)
  }
})

test('raw.POST is sent again only with an idempotency key, and raw.GET always', async () => {
  const params = { header: { 'Idempotency-Key': 'order-6' } }
  for (const failure of [fail(503), lost, stall]) {
    const start = () => recordClient([failure, succeed], { maxRetries: 3, timeout: 20 })
    const without = start()
    await without.client.raw.POST('/tools', { body: saw }).catch(() => undefined)
    expect(without.requests).toHaveLength(1)

    const withKey = start()
    const { response } = await withKey.client.raw.POST('/tools', { body: saw, params })
    expect(response.status).toBe(200)
    const bodies = await Promise.all(withKey.requests.map((request) => request.json()))
    expect(bodies).toEqual([saw, saw])
    expect((await start().client.raw.GET('/tools')).data).toEqual([])
  }
})
