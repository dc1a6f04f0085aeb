import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { startFixtureWith, tools } from '../../helpers/fixture-service.ts'
import { sendBytes } from '../../helpers/raw.ts'

const drill = '{"kind":"drill","name":"a","power":1}'
/** The largest body that `createTool` accepts. */
const most = 20_000

/** Starts a service whose handler keeps the bodies that it gets; the schema of a body may be another. */
async function startService(schema?: object) {
  const bodies: unknown[] = []
  const createTool = ({ body }: { readonly body: object }) => {
    bodies.push(body)
    return { status: 201, body: { id: 1, ...JSON.parse(drill) } }
  }
  const service = await startFixtureWith({
    handlers: { createTool },
    edit: ({ paths }) => {
      const { content } = paths['/tools'].post.requestBody
      if (schema !== undefined) content['application/json'] = { schema }
    },
  })
  const { origin, apiKey, send } = service
  const usual = { 'Content-Type': 'application/json' }
  const post = (body: BodyInit | null, headers: Record<string, string> = {}) =>
    send(tools, { method: 'POST', body, duplex: 'half', headers: { ...usual, ...headers } })
  return {
    ...{ origin, apiKey, bodies, post, send },
    chunked: (text: string) => post(new Blob([text]).stream()),
    /** The head of a request that ends the connection, without the fields of its body. */
    head: `POST ${tools} HTTP/1.1\r\nHost: a\r\nConnection: close\r\nAuthorization: Bearer ${apiKey}\r\n`,
  }
}

const codes: Readonly<Record<number, string>> = {
  400: 'malformed_json',
  413: 'payload_too_large',
  415: 'unsupported_media_type',
}

test('each content coding has its status', async () => {
  const { post, bodies } = await startService()
  const rows: readonly (readonly [coding: string, body: Buffer, status: number])[] = [
    ['x-gzip', gzipSync(drill), 201],
    ['GZIP', gzipSync(drill), 201],
    ['br', brotliCompressSync(drill), 201],
    ['', Buffer.from(drill), 201],
    ['gzip', Buffer.concat([gzipSync(drill.slice(0, 9)), gzipSync(drill.slice(9))]), 201],
    ['gzip', gzipSync(drill.padEnd(most)), 201],
    ['zstd', Buffer.from(drill), 415],
    ['gzip', Buffer.from(drill), 400],
    ['gzip', gzipSync(drill).subarray(0, 20), 400],
    ['gzip', Buffer.concat([gzipSync(drill), Buffer.alloc(1), gzipSync(' ')]), 400],
    ['gzip', Buffer.concat([gzipSync(drill), Buffer.from('more')]), 400],
    ['br', Buffer.concat([brotliCompressSync(drill), Buffer.from('more')]), 400],
    ['gzip', gzipSync(drill.padEnd(most + 1)), 413],
  ]
  for (const [number, [coding, body, status]] of rows.entries()) {
    const response = await post(new Uint8Array(body), { 'Content-Encoding': coding })
    const what = `row ${number}, ${coding}`
    expect(response.status, what).toBe(status)
    if (status === 415) expect(response.headers.get('accept-encoding'), what).toBe('gzip, br')
    if (status !== 201) {
      expect(await response.json(), what).toMatchObject({ status, code: codes[status] })
    }
  }
  expect(bodies).toHaveLength(rows.filter(([, , status]) => status === 201).length)
})

test('a body of the largest size is accepted, a larger one is rejected, with and without a length', async () => {
  const { post, chunked, bodies } = await startService()
  expect((await post(drill.padEnd(most))).status).toBe(201)
  expect((await chunked(drill.padEnd(most))).status).toBe(201)
  const empty = gzipSync('', { level: constants.Z_NO_COMPRESSION })
  const members = Buffer.concat([gzipSync(drill), ...Array<Buffer>(1_000).fill(empty)])
  expect(members.length).toBeGreaterThan(most)
  for (const response of [
    await post(drill.padEnd(most + 1)),
    await chunked(drill.padEnd(most + 1)),
    await chunked(drill.padEnd(5_000_000)),
    // Many small members of gzip hold few bytes, but are too many themselves.
    await post(new Uint8Array(members), { 'Content-Encoding': 'gzip' }),
  ]) {
    expect(response.status).toBe(413)
    expect(await response.json()).toMatchObject({ code: codes[413], status: 413 })
  }
  expect(bodies).toHaveLength(2)
})

test('without a valid key a request is rejected before its body is read', async () => {
  const { send, apiKey, bodies } = await startService()
  const huge = Buffer.alloc(20_000_000, '{')
  const wrong = `${apiKey.slice(0, -1)}${apiKey.endsWith('0') ? '1' : '0'}`
  for (const body of ['{', '', huge]) {
    for (const key of ['', wrong]) {
      const response = await send(tools, { method: 'POST', body, key })
      expect(response.status).toBe(401)
      expect(await response.json()).toMatchObject({ status: 401 })
    }
  }
  expect(bodies).toEqual([])
})

test('each media type is accepted, or rejected with what is accepted', async () => {
  const { post, send, bodies } = await startService()
  const accepted = [
    ...['application/json', 'application/json; charset=utf-8', 'application/json ; a=b'],
    'Application/JSON;foo="bar;baz"',
  ]
  for (const type of accepted) {
    expect((await post(drill, { 'Content-Type': type })).status, type).toBe(201)
  }
  const rejected = ['application/json5', 'application/vnd.api+json', 'json', '*/*', ';']
  for (const type of rejected) {
    const response = await post(drill, { 'Content-Type': type })
    expect(response.status, type).toBe(415)
    expect(response.headers.get('accept'), type).toBe('application/json')
    expect(await response.json(), type).toMatchObject({ code: codes[415], status: 415 })
  }
  const bytes = new Uint8Array(Buffer.from(drill))
  const untyped = await send(tools, { method: 'POST', body: bytes })
  expect(untyped.status).toBe(415)
  expect(bodies).toHaveLength(accepted.length)
})

test('two different Content-Type fields are rejected in any order; the same one twice is accepted', async () => {
  const { origin, head, bodies } = await startService()
  const [json, text] = ['Content-Type: application/json\r\n', 'Content-Type: text/plain\r\n']
  const charset = 'Content-Type: application/json; charset=utf-8\r\n'
  const request = (fields: string) =>
    sendBytes(origin, `${head}Content-Length: ${drill.length}\r\n${fields}\r\n${drill}`)
  for (const fields of [json + text, text + json, json + charset, json + json + text]) {
    const { status, body } = await request(fields)
    const details = [{ path: '/headers/content-type', message: 'must be given once' }]
    expect([status, JSON.parse(body)]).toMatchObject([400, { code: 'invalid_request', details }])
  }
  expect(bodies).toEqual([])
  expect((await request(json + json)).status).toBe(201)
})

test('a missing body is rejected, whatever its framing and its fields', async () => {
  const { origin, head } = await startService()
  for (const fields of ['', 'Content-Type: text/plain\r\nContent-Encoding: zstd\r\n']) {
    for (const parts of [
      [`${head}${fields}Transfer-Encoding: chunked\r\n\r\n`, '0\r\n\r\n'],
      [`${head}${fields}Content-Length: 0\r\n\r\n`],
    ]) {
      const { status, body } = await sendBytes(origin, ...parts)
      const details = [{ path: '/body', message: 'is missing' }]
      expect([status, JSON.parse(body)]).toMatchObject([400, { code: 'invalid_request', details }])
    }
  }
})

test('a chunked body of a wrong type is rejected at its first byte, or before 100 Continue', async () => {
  const { origin, head } = await startService()
  const chunked = `${head}Transfer-Encoding: chunked\r\n`
  expect((await sendBytes(origin, `${chunked}\r\nff\r\n{`)).status).toBe(415)
  const { text } = await sendBytes(origin, `${chunked}Expect: 100-continue\r\n\r\n`)
  expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 415'])
  const body = `${drill.length.toString(16)}\r\n${drill}\r\n0\r\n\r\n`
  const typed = `${chunked}Content-Type: application/json\r\n\r\n`
  expect((await sendBytes(origin, typed, body)).status).toBe(201)
})

test('a readOnly property is rejected in a body, and not required, whichever part of allOf says so', async () => {
  const { send, bodies } = await startService({
    allOf: [
      { type: 'object', properties: { id: { type: 'integer', readOnly: true, default: 1 } } },
      { required: ['id', 'name'], properties: { name: { type: 'string' } } },
    ],
  })
  const post = (json: object) => send(tools, { json })
  expect((await post({ name: 'a' })).status).toBe(201)
  expect(bodies).toEqual([{ name: 'a' }])
  const rejected = await post({ id: 2, name: 'a' })
  expect(rejected.status).toBe(400)
  expect(await rejected.json()).toMatchObject({
    details: [{ path: '/body/id', message: 'is read-only' }],
  })
})
