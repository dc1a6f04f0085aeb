import { expect, test } from 'vitest'
import { exchangeBytes } from '../support/raw.ts'
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

test.each([
  '',
  'Content-Type: text/plain\r\n',
  'Content-Type: application/json\r\n',
  'Content-Type: text/plain\r\nContent-Encoding: zstd\r\n',
  'Content-Encoding: gzip\r\n',
])('a missing body is invalid with a transfer coding too, and with %j', async (fields) => {
  const { origin, apiKey } = await startTestService()
  const head = `POST /v1/pets HTTP/1.1\r\nHost: a\r\nConnection: close\r\nAuthorization: Bearer ${apiKey}\r\n${fields}`
  for (const parts of [
    [`${head}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
    [`${head}Transfer-Encoding: chunked\r\n\r\n`, '0\r\n\r\n'],
    [`${head}Content-Length: 0\r\n\r\n`],
    [`${head}\r\n`],
  ]) {
    const answer = await exchangeBytes(origin, ...parts)
    expect(answer.status).toBe(400)
    const details = [{ path: '/body', message: 'is missing' }]
    expect(JSON.parse(answer.body)).toMatchObject({ code: 'invalid_request', details })
  }
})

test('a chunked body of a wrong type is refused at its first byte, or before 100 Continue', async () => {
  const { origin, apiKey } = await startTestService()
  const head = `POST /v1/pets HTTP/1.1\r\nHost: a\r\nConnection: close\r\nAuthorization: Bearer ${apiKey}\r\nTransfer-Encoding: chunked\r\n`
  const begun = await exchangeBytes(origin, `${head}\r\nff\r\n{`)
  expect(begun.status).toBe(415)
  const waiting = await exchangeBytes(origin, `${head}Expect: 100-continue\r\n\r\n`)
  expect(waiting.text.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 415'])
  const type = 'Content-Type: application/json\r\n'
  const body = '{"name":"a","categoryId":1}'
  const sent = `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`
  expect((await exchangeBytes(origin, `${head}${type}\r\n`, sent)).status).toBe(201)
})
