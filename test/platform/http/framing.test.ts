import { expect, test } from 'vitest'
import {
  countTools,
  createRequests,
  last,
  length,
  startFixtureService,
  tool,
  tools,
} from '../../helpers/fixture-service.ts'
import { readMetrics, requestsOf } from '../../helpers/metrics.ts'
import {
  merge,
  openSocket,
  receive,
  responsesIn,
  sendBytes,
  statusesIn,
} from '../../helpers/raw.ts'

/** What is sent, and the statuses of the responses until the connection ends. */
type Row = readonly [what: string, statuses: readonly number[], bytes: string]

// A service's key takes the place of this one.
const { get, post, chunked } = createRequests({ apiKey: 'KEY' })
const host = 'Host: a\r\n'
const code = 'Transfer-Encoding:'
const anonymous = (fields: string) => `POST ${tools} HTTP/1.1\r\n${host}${fields}\r\n`
const bare = (fields: string) => `GET ${tools} HTTP/1.1\r\n${fields}\r\n`
const withField = (field: string) => get(tools, `${field}\r\n`)
const long = (count: number) => 'a'.repeat(count)
const old = (request: string) => request.replace('HTTP/1.1', 'HTTP/1.0')

const chunk = (content: string) => `${content.length.toString(16)}\r\n${content}\r\n`
const lastChunk = '0\r\n\r\n'
const body = chunk(tool) + lastChunk
const hidden = `POST /lending/v2/nothing HTTP/1.1\r\n${host}\r\n`

const malformed: readonly Row[] = [
  ['nonsense', [400], 'nonsense\r\n\r\n'],
  ['two Hosts', [400], bare(`${host}Host: b\r\n`)],
  ['a Host that is none', [400], bare('Host: a b/..\r\n')],
  ['bare line feeds', [400], `GET ${tools} HTTP/1.1\nHost: a\n\n`],
  ['a bare LF in a field', [400], withField('X: a\nY: b') + hidden],
  ['a target of 9,000 characters', [414], `GET /${long(9_000)} HTTP/1.1\r\n${host}\r\n`],
  ['20,000 bytes of fields', [431], withField(`X: ${long(20_000)}`)],
  ['more than a hundred fields', [431], get(tools, 'a:b\r\n'.repeat(99)) + last],
  ['an unknown expectation', [417], get(tools, 'Expect: tea\r\n') + post()],
  ['an unknown method', [501], bare(host).replace('GET', 'BREW')],
  ['a target without a host', [400], `GET http://[ HTTP/1.1\r\n${host}\r\n`],
  ['the preface of HTTP/2', [505], 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ['HTTP/1.2', [505], bare(host).replace('HTTP/1.1', 'HTTP/1.2')],
  ['CONNECT after a create', [201, 501], `${post()}CONNECT a:80 HTTP/1.1\r\n${host}\r\n`],
  ['a bad chunk after a create', [201, 400], post() + chunked('zz\r\n')],
]

/** What could be one request to us and another one, or two, to a proxy in front. */
const ambiguous: readonly Row[] = [
  ['chunked in HTTP/1.0', [400], old(chunked(body))],
  ['two codings', [501], chunked(body, `${code} chunked\r\n`)],
  ['a length after chunked', [400], chunked(body, length)],
  ['two lengths', [400], post(`${length}Content-Length: 2\r\n`)],
  ['a length in the trailer', [400], chunked(`${chunk(tool)}0\r\nContent-Length: 5\r\n\r\n`)],
]

const hiddenLength = `Content-Length: ${hidden.length}\r\n`
const falseTrailer = `${chunk(tool)}0\r\nAuthorization: Bearer KEY\r\n${host}\r\n`
const expectContinue = 'Expect: 100-continue\r\nConnection: close\r\n'
const hosts = ['a.example:8080', '[::1]:3000']

/** One request after another, which get one response after another. */
const unambiguous: readonly Row[] = [
  ['content of a GET is no request', [200, 200], get(tools, hiddenLength) + hidden + last],
  ['content of a rejected request', [401, 200], anonymous(hiddenLength) + hidden + last],
  ['after Connection: close nothing is read', [200], get(tools, 'Connection: close\r\n') + post()],
  [
    'a trailer is no header',
    [401, 200],
    anonymous(`Content-Type: application/json\r\n${code} chunked\r\n`) + falseTrailer + last,
  ],
  ['an Upgrade is ignored', [200], get(tools, 'Connection: Upgrade\r\nUpgrade: h2c\r\n') + post()],
  [
    'without content, in each form, at once',
    [200, 200, 401, 401, 200],
    get() +
      withField('Content-Length: 0') +
      anonymous('') +
      anonymous('Content-Length: 0\r\n') +
      last,
  ],
  ['without content, nothing is continued', [200], get(tools, expectContinue)],
  ['HTTP/1.0 needs no Host', [200], 'GET /livez HTTP/1.0\r\n\r\n'],
  ['too large for 100 Continue', [413], post(`Content-Length: 20001\r\n${expectContinue}`, '')],
  ['100 Continue after authentication', [100, 201], post(length + expectContinue)],
  ['no 100 Continue before', [401], anonymous(length + expectContinue)],
  ['HTTP/1.0 has no 100 Continue', [201], old(post(length + expectContinue))],
  ...hosts.map(
    (name): Row => [`the Host ${name}`, [200], last.replace('Host: a', `Host: ${name}`)],
  ),
]

/** The statuses of responses to malformed requests. */
const rejections = [400, 414, 417, 431, 501, 505]

test.for(Object.entries({ malformed, ambiguous, unambiguous }))(
  '%s requests get these responses, and not a byte more; each rejection is counted and logged',
  async ([, rows]) => {
    const service = await startFixtureService({ OVERLOAD_WAIT_MS: '60000', OPS_PORT: '0' })
    const received = await Promise.all(
      rows.map(async ([, , bytes]) => {
        const sent = bytes.replaceAll('Bearer KEY', `Bearer ${service.apiKey}`)
        return responsesIn((await sendBytes(service.origin, sent)).text)
      }),
    )
    const statuses = received.map((responses, at) => [
      rows[at]?.[0],
      responses.map(({ status }) => status),
    ])
    expect(statuses).toEqual(rows.map(([what, expected]) => [what, expected]))
    const withStatus = (...wanted: readonly number[]) =>
      received.flat().filter(({ status }) => wanted.includes(status))
    const rejected = withStatus(...rejections)
    for (const response of rejected) {
      expect(merge(response)).toMatchObject({
        code: 'bad_request_framing',
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        'x-request-id': expect.stringMatching(/^[A-Za-z0-9-]{8,64}$/),
        connection: 'close',
      })
    }
    const lines = service.requestLines.filter(({ code }) => code === 'bad_request_framing')
    const logged = lines.map((line) => `${line['level']} ${line['status']} ${line['requestId']}`)
    const sent = rejected.map(({ status, headers }) => `info ${status} ${headers['x-request-id']}`)
    expect(logged.sort()).toEqual(sent.sort())
    const series = await readMetrics(service)
    for (const status of rejections) {
      const { length } = withStatus(status)
      expect(series.get(`api_framing_rejected_total{status="${status}"}`)).toBe(length)
      // No operation is looked up.
      if (status === 417) {
        expect(requestsOf(series, '(unknown)', status)).toBe(length)
      }
    }
    expect(await countTools(service)).toBe(withStatus(201).length)
    expect(service.logged).toEqual([])
  },
)

test('content that turns out malformed after the response gets no second one', async () => {
  const { origin } = await startFixtureService()
  const socket = openSocket(origin)
  // What is malformed is sent once the response has come.
  socket.once('data', () => socket.write('zz\r\n'))
  socket.write(anonymous(`${code} chunked\r\n`))
  expect(statusesIn(await receive(socket))).toEqual([401])
})
