import { expect, test } from 'vitest'
import { statusesIn } from '../../helpers/answers.ts'
import { startFixtureService } from '../../helpers/fixture-service.ts'
import { exchangeBytes } from '../../helpers/raw.ts'
import {
  body,
  chunk,
  countTools,
  createRequests,
  lastChunk,
  length,
  type Requests,
  tool,
  tools,
} from './support/requests.ts'

/** What is sent, and the statuses of the responses until the connection ends. */
type Row = readonly [
  what: string,
  statuses: readonly number[],
  write: (requests: Requests) => string,
]

const hidden = 'POST /lending/v2/nothing HTTP/1.1\r\nHost: a\r\n\r\n'

/** What could be one request to us and another one, or two, to a proxy in front. */
const ambiguous: readonly Row[] = [
  ['chunked in HTTP/1.0', [400], ({ chunked }) => chunked(body).replace('HTTP/1.1', 'HTTP/1.0')],
  ['chunked twice', [501], ({ post }) => post('Transfer-Encoding: chunked, chunked\r\n', body)],
  ['two fields', [501], ({ chunked }) => chunked(body, 'Transfer-Encoding: chunked\r\n')],
  ['then identity', [501], ({ chunked }) => chunked(body, 'Transfer-Encoding: identity\r\n')],
  ['gzip, chunked', [501], ({ post }) => post('Transfer-Encoding: gzip, chunked\r\n', body)],
  ['chunked, gzip', [501], ({ post }) => post('Transfer-Encoding: chunked, gzip\r\n', body)],
  ['identity', [501], ({ post }) => post('Transfer-Encoding: identity\r\n', tool)],
  ['no coding', [501], ({ post }) => post('Transfer-Encoding:\r\n', body)],
  ['a vertical tab', [400], ({ post }) => post('Transfer-Encoding: \x0bchunked\r\n', body)],
  ['a space before the colon', [400], ({ post }) => post('Transfer-Encoding : chunked\r\n', body)],
  ['a folded coding', [400], ({ post }) => post('Transfer-Encoding:\r\n chunked\r\n', body)],
  ['a length after chunked', [400], ({ chunked }) => chunked(body, length)],
  [
    'a length before chunked',
    [400],
    ({ post }) => post(`${length}Transfer-Encoding: chunked\r\n`, body),
  ],
  ['one length twice', [400], ({ post }) => post(length + length, tool)],
  ['a list of lengths', [400], ({ post }) => post('Content-Length: 27, 27\r\n', tool)],
  ['a length with a sign', [400], ({ post }) => post('Content-Length: +27\r\n', tool)],
  ['a hexadecimal length', [400], ({ post }) => post('Content-Length: 0x1b\r\n', tool)],
  ['a length with a space', [400], ({ post }) => post('Content-Length: 2 7\r\n', tool)],
  [
    'a length without end',
    [400],
    ({ post }) => post(`Content-Length: ${'9'.repeat(23)}\r\n`, tool),
  ],
  ['an empty length', [400], ({ post }) => post('Content-Length:\r\n', tool)],
  ['a hexadecimal prefix', [400], ({ chunked }) => chunked(`0x${body}`)],
  ['a space after a size', [400], ({ chunked }) => chunked(chunk(tool, ' ') + lastChunk)],
  ['a size beyond 64 bits', [400], ({ chunked }) => chunked(`${'f'.repeat(17)}\r\n${tool}`)],
  ['a size that ends in LF', [400], ({ chunked }) => chunked(`1b\n${tool}\r\n0\r\n\r\n`)],
  ['a negative size', [400], ({ chunked }) => chunked(`-1b\r\n${tool}\r\n0\r\n\r\n`)],
  ['a chunk that is too short', [400], ({ chunked }) => chunked(`1c\r\n${tool}\r\n0\r\n\r\n`)],
  ['a chunk that is too long', [400], ({ chunked }) => chunked(`1a\r\n${tool}\r\n0\r\n\r\n`)],
  ['an LF in an extension', [400], ({ chunked }) => chunked(chunk(tool, ';a\nb') + lastChunk)],
  [
    'an extension of 20,000 bytes',
    [400],
    ({ chunked }) => chunked(chunk(tool, `;a=${'x'.repeat(20_000)}`)),
  ],
  [
    'a length in the trailer',
    [400],
    ({ chunked }) => chunked(`${chunk(tool)}0\r\nContent-Length: 5\r\n\r\n`),
  ],
  [
    'a trailer of 20,000 bytes',
    [431],
    ({ chunked }) => chunked(`${chunk(tool)}0\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`),
  ],
  ['a broken trailer', [400], ({ chunked }) => chunked(`${chunk(tool)}0\r\nX y\r\n\r\n`)],
  ['a bare CR in a field', [400], ({ get }) => get(tools, 'X: a\rb\r\n') + hidden],
  ['a bare LF in a field', [400], ({ get }) => get(tools, 'X: a\nY: b\r\n') + hidden],
  ['two bare LFs', [400], ({ get }) => get(tools, `X: a\n\n${hidden}`)],
  ['NUL in a field', [400], ({ get }) => get(tools, 'X: a\0b\r\n')],
  ['a control character in a field', [400], ({ get }) => get(tools, 'X: a\x01b\r\n')],
  ['a field without a name', [400], ({ get }) => get(tools, ': b\r\n')],
  ['a field without a colon', [400], ({ get }) => get(tools, 'abc\r\n')],
  ['a name beyond ASCII', [400], ({ get }) => get(tools, '\xff: a\r\n')],
  ['a fold in the first field', [400], () => `GET ${tools} HTTP/1.1\r\n Host: a\r\n\r\n`],
  [
    'a second Host at the end',
    [400],
    ({ get }) => get(tools, `${'a:b\r\n'.repeat(50)}Host: b\r\n`),
  ],
]

/** One request after another, which get one response after another. */
const unambiguous: readonly Row[] = [
  [
    'content of a GET is no request',
    [200, 200],
    ({ get, last }) => get(tools, `Content-Length: ${hidden.length}\r\n`) + hidden + last,
  ],
  [
    'content of a rejected request is no request',
    [401, 200],
    ({ last }) =>
      `POST ${tools} HTTP/1.1\r\nHost: a\r\nContent-Length: ${hidden.length}\r\n\r\n${hidden}${last}`,
  ],
  [
    'nor in chunks',
    [401, 200],
    ({ last }) =>
      `POST ${tools} HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n${chunk(hidden)}${lastChunk}${last}`,
  ],
  [
    'after Connection: close nothing is read',
    [200],
    ({ get, post }) => get(tools, 'Connection: close\r\n') + post(),
  ],
  [
    'after a response with Connection: close nothing is read',
    [417],
    ({ get, post }) => get(tools, 'Expect: tea\r\n') + post(),
  ],
  [
    'after HTTP/1.0 nothing is read',
    [200],
    ({ get, post }) => get().replace('HTTP/1.1', 'HTTP/1.0') + post(),
  ],
  [
    'a trailer is no header',
    [401, 200],
    ({ last, chunked }) =>
      chunked(`${chunk(tool)}0\r\nAuthorization: Bearer ask_\r\nHost: b\r\n\r\n`).replace(
        /Authorization: Bearer ask_\w{30,}\r\n/,
        '',
      ) + last,
  ],
  [
    'an Upgrade is not taken',
    [200],
    ({ get, post }) => get(tools, 'Connection: Upgrade\r\nUpgrade: h2c\r\n') + post(),
  ],
  [
    'lines before a request are skipped',
    [200, 200],
    ({ get, last }) => `\r\n\r\n${get()}\r\n${last}`,
  ],
  [
    'an extension means nothing',
    [201, 200],
    ({ chunked, last }) => chunked(chunk(tool, ';a=b;c="d e"') + lastChunk) + last,
  ],
  [
    'case and spaces mean nothing',
    [201, 200],
    ({ post, last }) => post(`cONTENT-lENGTH: \t ${tool.length} \t\r\n`, tool) + last,
  ],
  [
    'nor for a coding',
    [201, 200],
    ({ post, last }) => post('transfer-encoding:CHUNKED\r\n', body) + last,
  ],
  ['HTTP/1.0 needs no Host', [200], () => 'GET /livez HTTP/1.0\r\n\r\n'],
  [
    'HTTP/1.0 may stay',
    [200, 200],
    ({ get, last }) =>
      get(tools, 'Connection: keep-alive\r\n').replace('HTTP/1.1', 'HTTP/1.0') + last,
  ],
  ['TRACE shows nothing', [405, 200], ({ get, last }) => get().replace('GET', 'TRACE') + last],
  [
    'a method in lower case is another one',
    [501],
    ({ get, last }) => get().replace('GET', 'get') + last,
  ],
  [
    'bytes beyond ASCII in a field',
    [200, 200],
    ({ get, last }) => get(tools, 'X: \xff\x80\r\n') + last,
  ],
  ['a hundred fields', [200, 200], ({ get, last }) => get(tools, 'a:b\r\n'.repeat(98)) + last],
  ['one more', [431], ({ get, last }) => get(tools, 'a:b\r\n'.repeat(99)) + last],
  [
    'a body that is announced too large is not asked for',
    [413],
    ({ post }) =>
      post('Content-Length: 20001\r\nExpect: 100-continue\r\nConnection: close\r\n', ''),
  ],
  [
    'an expectation among others',
    [417],
    ({ post }) => post(`${length}Expect: 100-continue, tea\r\n`, tool),
  ],
]

test.each([
  ['ambiguous', ambiguous],
  ['unambiguous', unambiguous],
] as const)('%s requests get these responses, and not a byte more', async (_, rows) => {
  const service = await startFixtureService()
  const requests = createRequests(service)
  const got = await Promise.all(
    rows.map(async ([what, , write]) => {
      const { text } = await exchangeBytes(service.origin, write(requests))
      return [what, statusesIn(text)]
    }),
  )
  expect(Object.fromEntries(got)).toEqual(
    Object.fromEntries(rows.map(([what, statuses]) => [what, statuses])),
  )
  const created = rows.flatMap(([, statuses]) => statuses).filter((status) => status === 201)
  expect(await countTools(service)).toBe(created.length)
  expect(service.logged).toEqual([])
})
