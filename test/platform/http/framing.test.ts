import { expect, onTestFinished, test } from 'vitest'
import { fixtureApi } from '../../fixture-api/fixture-api.ts'
import { createFixtureHandlers } from '../../fixture-api/handlers.ts'
import { statusesIn } from '../../helpers/answers.ts'
import { startFixtureService } from '../../helpers/fixture-service.ts'
import { exchangeBytes } from '../../helpers/raw.ts'
import { startTestService } from '../../helpers/service.ts'
import { createRequests, length, tool, tools } from './support/requests.ts'

const host = 'Host: a\r\n'
const get = (fields: string) => `GET ${tools} HTTP/1.1\r\n${fields}\r\n`
const post = (fields: string) => `POST ${tools} HTTP/1.1\r\n${host}${fields}\r\n`
const long = (count: number) => 'a'.repeat(count)

const malformed: readonly (readonly [what: string, status: number, bytes: string])[] = [
  ['nonsense', 400, 'nonsense\r\n\r\n'],
  ['a TLS greeting', 400, '\x16\x03\x01\x02\x00\x01\x00'],
  ['no Host', 400, get('Connection: close\r\n')],
  ['two Hosts', 400, get(`${host}Host: b\r\n`)],
  ['bare line feeds', 400, `GET ${tools} HTTP/1.1\nHost: a\n\n`],
  ['a folded field', 400, get(`${host}X: a\r\n b\r\n`)],
  ['a space in a field name', 400, get(`${host}X Y: a\r\n`)],
  ['two lengths', 400, `${post('Content-Length: 1\r\nContent-Length: 2\r\n')}a`],
  ['a negative length', 400, `${post('Content-Length: -1\r\n')}a`],
  [
    'a length with a transfer coding',
    400,
    `${post('Content-Length: 3\r\nTransfer-Encoding: chunked\r\n')}0\r\n\r\n`,
  ],
  ['a bad chunk size', 400, `${post('Transfer-Encoding: chunked\r\n')}zz\r\n`],
  ['a target of 9,000 characters', 414, `GET /${long(9_000)} HTTP/1.1\r\n${host}\r\n`],
  ['a target of 20,000 characters', 414, `GET /${long(20_000)} HTTP/1.1\r\n${host}\r\n`],
  ['a request line without an end', 414, `GET /${long(60_000)}`],
  [
    'a long target before long fields',
    414,
    `GET /${long(9_000)} HTTP/1.1\r\n${host}X: ${long(9_000)}\r\n\r\n`,
  ],
  ['a short target before 20,000 bytes without a space', 431, get(`${long(20_000)}: b\r\n`)],
  ['a Host that is none', 400, get('Host: a b/..\r\n')],
  ['an empty Host', 400, get('Host:\r\n')],
  ['a Host with a user', 400, get('Host: me@a\r\n')],
  ['a Host with a port that is none', 400, get('Host: a:b\r\n').replace('HTTP/1.1', 'HTTP/1.0')],
  ['a Host with half an address', 400, get('Host: [::1\r\n')],
  ['an unknown expectation', 417, get(`${host}Expect: tea\r\n`)],
  ['20,000 bytes of fields', 431, get(`${host}X: ${long(20_000)}\r\n`)],
  ['more than is read at a time', 431, get(`${host}X: ${long(200_000)}\r\n`)],
  ['an unknown method', 501, `BREW ${tools} HTTP/1.1\r\n${host}\r\n`],
  ['CONNECT', 501, `CONNECT a:80 HTTP/1.1\r\n${host}\r\n`],
  ['an unknown coding', 501, post('Transfer-Encoding: zip\r\n')],
  ['HTTP/1.2', 505, get(host).replace('HTTP/1.1', 'HTTP/1.2')],
  ['HTTP/2', 505, 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ['HTTP/0.9', 505, `GET ${tools}\r\n\r\n`],
]

test('a malformed request gets an Error object, and the connection ends', async () => {
  const { origin } = await startFixtureService()
  for (const [what, status, bytes] of malformed) {
    const response = await exchangeBytes(origin, bytes)
    expect(response.status, what).toBe(status)
    expect(response.headers, what).toMatchObject({
      'content-type': 'application/json',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      connection: 'close',
    })
    expect(response.headers['x-request-id']).toMatch(/^[A-Za-z0-9-]{8,64}$/)
    expect(JSON.parse(response.body)).toMatchObject({ code: 'bad_request_framing', status })
    expect(Number(response.headers['content-length'])).toBe(response.body.length)
  }
})

test.each(['a', 'a:80', 'a:', 'a.example:8080', '127.0.0.1', '[::1]:3000', '[v1.a:b]', '%61_b~'])(
  'the Host %s is valid',
  async (name) => {
    const { origin } = await startFixtureService()
    const request = `GET /livez HTTP/1.1\r\nHost: ${name}\r\nConnection: close\r\n\r\n`
    expect((await exchangeBytes(origin, request)).status).toBe(200)
  },
)

test('a malformed request after a valid one is rejected after its response', async () => {
  const service = await startFixtureService()
  const requests = createRequests(service)
  const live = `GET /livez HTTP/1.1\r\n${host}\r\n`
  for (const [first, second, statuses] of [
    [live, 'nonsense\r\n\r\n', [200, 400]],
    [live, `GET /${long(20_000)} HTTP/1.1\r\n${host}\r\n`, [200, 414]],
    [requests.post(), `CONNECT a:80 HTTP/1.1\r\n${host}\r\n`, [201, 501]],
    [requests.post(), requests.chunked('zz\r\n'), [201, 400]],
  ] as const) {
    const { text } = await exchangeBytes(service.origin, first + second)
    expect(statusesIn(text)).toEqual(statuses)
  }
})

test('bytes after a malformed request change nothing, also while the response before it is pending', async () => {
  const { promise: pending, resolve: respond } = Promise.withResolvers<void>()
  const service = await startTestService({}, undefined, {}, undefined, {
    ...fixtureApi,
    createHandlers(options) {
      const handlers = createFixtureHandlers(options)
      const createTool = async (...input: Parameters<typeof handlers.createTool>) => {
        await pending
        return handlers.createTool(...input)
      }
      return { ...handlers, createTool }
    },
  })
  const warnings: Error[] = []
  const note = (warning: Error) => void warnings.push(warning)
  process.on('warning', note)
  onTestFinished(() => void process.off('warning', note))
  const more = Array.from({ length: 20 }, () => [5, 'x']).flat()
  const sent = `${createRequests(service).post()}nonsense\r\n\r\n`
  const exchange = exchangeBytes(service.origin, sent, ...more)
  setTimeout(respond, 300)
  expect(statusesIn((await exchange).text)).toEqual([201, 400])
  expect(service.requestLines.map(({ status }) => status).sort()).toEqual([201, 400])
  expect(warnings).toEqual([])
})

test('content that turns out malformed after the response gets no second one', async () => {
  const { origin } = await startFixtureService()
  const { text } = await exchangeBytes(
    origin,
    post('Transfer-Encoding: chunked\r\n'),
    100,
    'zz\r\n',
  )
  expect(statusesIn(text)).toEqual([401])
})

test('malformed content is rejected under the id of its request', async () => {
  const service = await startFixtureService()
  const head = createRequests(service).chunked('', 'X-Request-Id: my-create\r\n')
  const response = await exchangeBytes(service.origin, `${head}1\r\n{\r\n`, 50, 'zz\r\n')
  expect(response).toMatchObject({ status: 400, headers: { 'x-request-id': 'my-create' } })
  await expect
    .poll(() => service.requestLines.map(({ requestId }) => requestId))
    .toEqual(['my-create', 'my-create'])
})

test('an HTTP/1.0 request gets no 100 Continue', async () => {
  const service = await startFixtureService()
  const head = createRequests(service).post(`${length}Expect: 100-continue\r\n`, '')
  const { text } = await exchangeBytes(service.origin, head.replace('HTTP/1.1', 'HTTP/1.0'), tool)
  expect(statusesIn(text)).toEqual([201])
})

test('100 Continue is sent after authentication, not before', async () => {
  const { origin, apiKey } = await startFixtureService()
  const type = 'Connection: close\r\nContent-Type: application/json\r\n'
  const fields = `${type}${length}Expect: 100-continue\r\n`
  const good = await exchangeBytes(
    origin,
    post(`${fields}Authorization: Bearer ${apiKey}\r\n`),
    tool,
  )
  expect(statusesIn(good.text)).toEqual([100, 201])
  expect(statusesIn((await exchangeBytes(origin, post(fields))).text)).toEqual([401])
})
