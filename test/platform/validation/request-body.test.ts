import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { startFixtureWith, tools } from '../../helpers/fixture-service.ts'
import { sendBytes } from '../../helpers/raw.ts'
import { startRecorder } from './recorder.ts'

const drill = '{"kind":"drill","name":"a","power":1}'
/** The largest body that `createTool` accepts. */
const most = 20_000

/** Starts a service, with the head of a create that ends the connection, without the fields of its body. */
async function startService() {
  const service = await startRecorder()
  const usual = `Host: a\r\nConnection: close\r\nAuthorization: Bearer ${service.apiKey}\r\n`
  return { ...service, head: `POST ${tools} HTTP/1.1\r\n${usual}` }
}

const codes: Readonly<Record<number, string>> = {
  400: 'malformed_json',
  413: 'payload_too_large',
  415: 'unsupported_media_type',
}

type Row = readonly [headers: Record<string, string>, body: BodyInit | Buffer, status: number]

const typed = (type: string) => ({ 'Content-Type': type })
const json = typed('application/json')
const coded = (coding: string) => ({ ...json, 'Content-Encoding': coding })
const chunked = (text: string) => new Blob([text]).stream()
const full = drill.padEnd(most)
const emptyMember = gzipSync('', { level: constants.Z_NO_COMPRESSION })

const bodies: Readonly<Record<string, readonly Row[]>> = {
  'content coding': [
    [coded('x-gzip'), gzipSync(drill), 201],
    [coded('br'), brotliCompressSync(drill), 201],
    [coded('zstd'), drill, 415],
    [coded('gzip'), gzipSync(drill).subarray(0, 20), 400],
    [coded('gzip'), Buffer.concat([gzipSync(drill), Buffer.from('more')]), 400],
    [coded('br'), Buffer.concat([brotliCompressSync(drill), Buffer.from('more')]), 400],
  ],
  size: [
    [json, full, 201],
    [coded('gzip'), gzipSync(full), 201],
    [json, `${full} `, 413],
    [json, chunked(`${full} `), 413],
    [coded('gzip'), gzipSync(`${full} `), 413],
    // Many small members of gzip hold few bytes, but are too many themselves.
    [coded('gzip'), Buffer.concat([gzipSync(drill), ...Array(1_000).fill(emptyMember)]), 413],
  ],
  'media type': [
    [json, drill, 201],
    [typed('Application/JSON;foo="bar;baz"'), drill, 201],
    [typed('application/json5'), drill, 415],
    [typed('application/vnd.api+json'), drill, 415],
    [{}, Buffer.from(drill), 415],
  ],
}

test.for(Object.entries(bodies))('each %s of a body has its status', async ([, rows]) => {
  const { send, inputs } = await startRecorder()
  for (const [at, [headers, body, status]] of rows.entries()) {
    const content = Buffer.isBuffer(body) ? new Uint8Array(body) : body
    const response = await send(tools, { method: 'POST', body: content, duplex: 'half', headers })
    const what = `row ${at} ${JSON.stringify(headers)}`
    expect(response.status, what).toBe(status)
    if (status === 201) {
      continue
    }
    expect(await response.json(), what).toMatchObject({ status, code: codes[status] })
    const [accept, accepted] =
      'Content-Encoding' in headers
        ? ['accept-encoding', 'gzip, br']
        : ['accept', 'application/json']
    expect(response.headers.get(accept), what).toBe(status === 415 ? accepted : null)
  }
  expect(inputs).toHaveLength(rows.filter(([, , status]) => status === 201).length)
})

test('a body of each media type is validated by the schema of that type, exact types before ranges', async () => {
  const body = (maxLength: number) => ({
    schema: { type: 'object', properties: { name: { type: 'string', maxLength } } },
  })
  const content = {
    'application/*+json': body(3),
    'application/json': body(5),
    'application/merge-patch+json': body(7),
  }
  const row = { required: false, type: 'array', items: { type: 'integer' } }
  const inputs: Record<string, unknown>[] = []
  const { send } = await startFixtureWith({
    handlers: {
      createTool(input: Record<string, unknown>) {
        inputs.push(input)
        return { status: 201, body: { id: 1, kind: 'saw', name: 'Ryoba' } }
      },
    },
    operations: {
      createTool: {
        requestBody: { required: true, mediaTypes: Object.keys(content) },
        parameters: { path: {}, query: { ids: row }, header: {}, cookie: {} },
      },
    },
    edit({ paths }) {
      const schema = { type: 'array', items: { type: 'integer' } }
      paths['/tools'].post.parameters = [{ name: 'ids', in: 'query', schema }]
      paths['/tools'].post.requestBody.content = content
    },
  })
  const types = [
    ['application/json', 'application/json', 5],
    ['Application/JSON; charset=utf-8', 'application/json', 5],
    ['application/merge-patch+json', 'application/merge-patch+json', 7],
    ['application/merge-patch+json;charset="utf-8"', 'application/merge-patch+json', 7],
    ['application/vnd.tool+json', 'application/vnd.tool+json', 3],
  ] as const
  // Arrays in the query are validated in another way.
  for (const path of [tools, `${tools}?ids=1&ids=2`]) {
    for (const [sent, mediaType, longest] of types) {
      const headers = { 'Content-Type': sent }
      const accepted = await send(path, { headers, json: { name: 'a'.repeat(longest) } })
      expect([accepted.status, inputs.at(-1)?.['mediaType']], sent).toEqual([201, mediaType])
      const rejected = await send(path, { headers, json: { name: 'a'.repeat(longest + 1) } })
      const message = `must have at most ${longest} characters`
      expect([rejected.status, await rejected.json()], sent).toMatchObject([
        400,
        { details: [{ path: '/body/name', message }] },
      ])
    }
  }
  for (const sent of ['application/+json', 'text/vnd+json', 'application/vnd.tool+jsonp']) {
    const { status, headers } = await send(tools, { headers: { 'Content-Type': sent }, json: {} })
    expect([status, headers.get('Accept')]).toEqual([415, Object.keys(content).join(', ')])
  }
  expect(inputs).toHaveLength(2 * types.length)
})

test('without a valid key a request is rejected before its body is read', async () => {
  const { send, apiKey, inputs } = await startRecorder()
  const huge = Buffer.alloc(20_000_000, '{')
  const wrong = `${apiKey.slice(0, -1)}${apiKey.endsWith('0') ? '1' : '0'}`
  for (const body of ['{', '', huge]) {
    for (const key of ['', wrong]) {
      const response = await send(tools, { method: 'POST', body, key })
      expect(response.status).toBe(401)
      expect(await response.json()).toMatchObject({ status: 401 })
    }
  }
  expect(inputs).toEqual([])
})

test('two different Content-Type fields are rejected in any order; the same one twice is accepted', async () => {
  const { origin, head, inputs } = await startService()
  const [json, text] = ['Content-Type: application/json\r\n', 'Content-Type: text/plain\r\n']
  const charset = 'Content-Type: application/json; charset=utf-8\r\n'
  const request = (fields: string) =>
    sendBytes(origin, `${head}Content-Length: ${drill.length}\r\n${fields}\r\n${drill}`)
  for (const fields of [json + text, text + json, json + charset, json + json + text]) {
    const { status, body } = await request(fields)
    const details = [{ path: '/headers/content-type', message: 'must be given once' }]
    expect([status, JSON.parse(body)]).toMatchObject([400, { code: 'invalid_request', details }])
  }
  expect(inputs).toEqual([])
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

test('an optional body with a discriminator may be missing beside other violations', async () => {
  const { send } = await startFixtureWith({
    operations: {
      createTool: { requestBody: { required: false, mediaTypes: ['application/json'] } },
    },
    edit({ paths }) {
      paths['/tools'].post.requestBody.required = false
    },
  })
  const rejected = await send(`${tools}?x=1`, { method: 'POST' })
  expect([rejected.status, await rejected.json()]).toMatchObject([
    400,
    { details: [{ path: '/query/x', message: 'is not a parameter of this operation' }] },
  ])
})

test('a required property must be sent although it has a default, unless it is readOnly: then it is removed, whichever part of allOf says so', async () => {
  const [string, integer] = [{ type: 'string' }, { type: 'integer' }]
  const { send, inputs } = await startRecorder({
    allOf: [
      { type: 'object', properties: { id: { ...integer, readOnly: true, default: 1 } } },
      { required: ['id', 'kind'], properties: { kind: { ...string, default: 'saw' } } },
    ],
  })
  const kind = 'drill'
  for (const json of [{ kind }, { id: 2, kind }, { id: 'a', kind }]) {
    expect((await send(tools, { json })).status).toBe(201)
  }
  expect(inputs.map(({ body }) => body)).toEqual([{ kind }, { kind }, { kind }])
  const rejected = await send(tools, { json: {} })
  const details = [{ path: '/body/kind', message: 'is missing' }]
  expect(await rejected.json()).toMatchObject({ status: 400, details })
})
