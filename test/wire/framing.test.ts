import { expect, test } from 'vitest'
import { exchangeBytes } from '../support/raw.ts'
import { startTestService } from '../support/service.ts'

const host = 'Host: a\r\n'

const misframed: readonly [string, number, string][] = [
  ['nonsense', 400, 'nonsense\r\n\r\n'],
  ['a TLS greeting', 400, '\x16\x03\x01\x02\x00\x01\x00'],
  ['no Host', 400, 'GET /v1/pets HTTP/1.1\r\nConnection: close\r\n\r\n'],
  ['two Hosts', 400, `GET /v1/pets HTTP/1.1\r\n${host}Host: b\r\n\r\n`],
  ['bare line feeds', 400, 'GET /v1/pets HTTP/1.1\nHost: a\n\n'],
  ['a folded field', 400, `GET /v1/pets HTTP/1.1\r\n${host}X: a\r\n b\r\n\r\n`],
  ['a space in a field name', 400, `GET /v1/pets HTTP/1.1\r\n${host}X Y: a\r\n\r\n`],
  [
    'two lengths',
    400,
    `POST /v1/pets HTTP/1.1\r\n${host}Content-Length: 1\r\nContent-Length: 2\r\n\r\na`,
  ],
  ['a negative length', 400, `POST /v1/pets HTTP/1.1\r\n${host}Content-Length: -1\r\n\r\na`],
  [
    'a length with a transfer coding',
    400,
    `POST /v1/pets HTTP/1.1\r\n${host}Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
  ],
  [
    'a bad chunk size',
    400,
    `POST /v1/pets HTTP/1.1\r\n${host}Transfer-Encoding: chunked\r\n\r\nzz\r\n`,
  ],
  ['a target of 9,000 characters', 414, `GET /${'a'.repeat(9_000)} HTTP/1.1\r\n${host}\r\n`],
  ['a target of 20,000 characters', 414, `GET /${'a'.repeat(20_000)} HTTP/1.1\r\n${host}\r\n`],
  ['a request line without an end', 414, `GET /${'a'.repeat(60_000)}`],
  [
    'a long target before long fields',
    414,
    `GET /${'a'.repeat(9_000)} HTTP/1.1\r\n${host}X: ${'a'.repeat(9_000)}\r\n\r\n`,
  ],
  [
    'a short target before 20,000 bytes without a space',
    431,
    `GET /v1/pets HTTP/1.1\r\n${'a'.repeat(20_000)}: b\r\n\r\n`,
  ],
  ['a Host that is none', 400, 'GET /v1/pets HTTP/1.1\r\nHost: a b/..\r\n\r\n'],
  ['an empty Host', 400, 'GET /v1/pets HTTP/1.1\r\nHost:\r\n\r\n'],
  ['a Host with a user', 400, 'GET /v1/pets HTTP/1.1\r\nHost: me@a\r\n\r\n'],
  ['a Host with a port that is none', 400, 'GET /v1/pets HTTP/1.0\r\nHost: a:b\r\n\r\n'],
  ['a Host with half an address', 400, 'GET /v1/pets HTTP/1.1\r\nHost: [::1\r\n\r\n'],
  ['an unknown expectation', 417, `GET /v1/pets HTTP/1.1\r\n${host}Expect: tea\r\n\r\n`],
  ['20,000 bytes of fields', 431, `GET / HTTP/1.1\r\n${host}X: ${'a'.repeat(20_000)}\r\n\r\n`],
  [
    'more than is read at a time',
    431,
    `GET / HTTP/1.1\r\n${host}X: ${'a'.repeat(200_000)}\r\n\r\n`,
  ],
  ['an unknown method', 501, `BREW /v1/pets HTTP/1.1\r\n${host}\r\n`],
  ['CONNECT', 501, `CONNECT a:80 HTTP/1.1\r\n${host}\r\n`],
  ['an unknown coding', 501, `POST /v1/pets HTTP/1.1\r\n${host}Transfer-Encoding: zip\r\n\r\n`],
  ['HTTP/1.2', 505, `GET /v1/pets HTTP/1.2\r\n${host}\r\n`],
  ['HTTP/2', 505, 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ['HTTP/0.9', 505, 'GET /v1/pets\r\n\r\n'],
]

test.each(misframed)(
  '%s gets %i with an Error object, and the connection ends',
  async (_, status, bytes) => {
    const { origin } = await startTestService()
    const answer = await exchangeBytes(origin, bytes)
    expect(answer.status).toBe(status)
    expect(answer.headers).toMatchObject({
      'content-type': 'application/json',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      connection: 'close',
    })
    expect(answer.headers['x-request-id']).toMatch(/^[A-Za-z0-9-]{8,64}$/)
    const error = JSON.parse(answer.body)
    expect(error).toMatchObject({ code: 'bad_request_framing', status })
    expect(Number(answer.headers['content-length'])).toBe(answer.body.length)
  },
)

test.each(['a', 'a:80', 'a:', 'a.example:8080', '127.0.0.1', '[::1]:3000', '[v1.a:b]', '%61_b~'])(
  'the Host %s is one',
  async (name) => {
    const { origin } = await startTestService()
    const request = `GET /livez HTTP/1.1\r\nHost: ${name}\r\nConnection: close\r\n\r\n`
    expect((await exchangeBytes(origin, request)).status).toBe(200)
  },
)

test('an HTTP/1.0 request gets no 100 Continue', async () => {
  const { origin, apiKey } = await startTestService()
  const body = '{"name":"a","categoryId":1}'
  const fields = `${host}Authorization: Bearer ${apiKey}\r\nContent-Type: application/json\r\n`
  const head = `POST /v1/pets HTTP/1.0\r\n${fields}Content-Length: ${body.length}\r\n`
  const { text } = await exchangeBytes(origin, `${head}Expect: 100-continue\r\n\r\n`, body)
  expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 201'])
})

test('a caller that waits for 100 Continue gets it after its key was checked, not before', async () => {
  const { origin, apiKey } = await startTestService()
  const body = '{"name":"a","categoryId":1}'
  const head = `POST /v1/pets HTTP/1.1\r\n${host}Connection: close\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nExpect: 100-continue\r\n`
  const good = await exchangeBytes(origin, `${head}Authorization: Bearer ${apiKey}\r\n\r\n`, body)
  expect(good.text.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 100', 'HTTP/1.1 201'])
  const bad = await exchangeBytes(origin, `${head}\r\n`)
  expect(bad.text.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 401'])
})

test('a target in absolute form means the same as its path', async () => {
  const { origin, apiKey } = await startTestService()
  const request = `GET ${origin}/v1/pets?limit=1 HTTP/1.1\r\n${host}Authorization: Bearer ${apiKey}\r\nConnection: close\r\n\r\n`
  expect((await exchangeBytes(origin, request)).status).toBe(200)
})
