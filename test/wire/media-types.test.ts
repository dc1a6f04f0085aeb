import { expect, test } from 'vitest'
import { startTestService, type TestService } from '../support/service.ts'

const animal = '{"name":"Rex","categoryId":7}'

function post(
  { send, apiKey }: TestService,
  body: BodyInit | null,
  headers: Record<string, string> = {},
) {
  const usual = { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' }
  return send('/v1/pets', { method: 'POST', body, headers: { ...usual, ...headers } })
}

test.each([
  'application/json',
  'application/json; charset=utf-8',
  'Application/JSON;foo="bar;baz"',
  'application/json ; a=b',
])('the media type %s is taken', async (type) => {
  const service = await startTestService()
  expect((await post(service, animal, { 'Content-Type': type })).status).toBe(201)
})

test.each([
  'text/plain',
  'application/xml',
  'application/json5',
  'application/vnd.api+json',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'json',
  '*/*',
  ';',
])('the media type %s is refused, and Accept says what is taken', async (type) => {
  const service = await startTestService()
  const response = await post(service, animal, { 'Content-Type': type })
  expect(response.status).toBe(415)
  expect(response.headers.get('accept')).toBe('application/json')
  expect(await response.json()).toMatchObject({ code: 'unsupported_media_type', status: 415 })
  expect(await service.client.listPets()).toEqual([])
})

test('a body without a media type is refused, a missing body is invalid', async () => {
  const service = await startTestService()
  const untyped = new Request('http://localhost', { method: 'POST', body: Buffer.from(animal) })
  const { apiKey, send } = service
  const headers = { Authorization: `Bearer ${apiKey}` }
  expect(
    (await send('/v1/pets', { method: 'POST', headers, body: await untyped.bytes() })).status,
  ).toBe(415)
  const missing = await send('/v1/pets', { method: 'POST', headers })
  expect(missing.status).toBe(400)
  expect(await missing.json()).toMatchObject({
    code: 'invalid_request',
    details: [{ path: '/body', message: 'is missing' }],
  })
})

test('5,000 distinct Content-Type values leave the heap where it was', async () => {
  const { send, apiKey } = await startTestService({ RATE_LIMITS: 'off' })
  const { setFlagsFromString } = await import('node:v8')
  const { runInNewContext } = await import('node:vm')
  setFlagsFromString('--expose-gc')
  const collect: () => void = runInNewContext('gc')
  const ask = async (from: number, to: number): Promise<number> => {
    for (let at = from; at < to; at++) {
      const headers = {
        Authorization: `Bearer ${apiKey}`,
        'Content-Type': `application/json; p${at}=${at}`,
      }
      const method = at % 2 === 0 ? 'GET' : 'POST'
      const body = method === 'POST' ? '{"name":1}' : null
      await (await send('/v1/pets', { method, headers, body })).arrayBuffer()
    }
    collect()
    return process.memoryUsage().heapUsed
  }
  const before = await ask(0, 500)
  const after = await ask(500, 5_500)
  expect((after - before) / 1e6).toBeLessThan(5)
})
