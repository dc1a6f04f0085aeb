import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { startMockService } from '../../../server/commands/mock-service.ts'
import { readConfig } from '../../../server/config.ts'
import { readBundled } from '../../../server/description/description-reader.ts'
import { findMissingSamples } from '../../../server/mock/missing-samples.ts'
import { createApiKey } from '../../../server/security/api-key.ts'
import { bundleBesidePlatform, toApi } from '../../helpers/compiled-api.ts'

const text = { type: 'string' }
const item = { type: 'object', required: ['n'], properties: { n: { type: 'integer' } } }
const event = {
  type: 'object',
  required: ['data'],
  properties: {
    data: { ...text, contentMediaType: 'application/json', contentSchema: item },
    event: { const: 'tick' },
  },
}
const opened = {
  type: 'object',
  required: ['opened'],
  properties: { opened: { type: 'integer' } },
  examples: [{ opened: 8 }],
}
const closed = {
  type: 'object',
  required: ['closed'],
  properties: { closed: { type: 'integer', examples: [9] } },
}
const union = { oneOf: [opened, closed] }
const unionEvent = {
  type: 'object',
  required: ['data'],
  properties: { data: { ...text, contentMediaType: 'application/json', contentSchema: union } },
}
const unionExamples = { open: { value: { opened: 1 } }, close: { value: { closed: 2 } } }
const examples = {
  one: { dataValue: { a: 'x' }, serializedValue: '<a>x</a>' },
  two: { value: '<b/>' },
}

/** The content of each response, by path. */
const contents: Readonly<Record<string, object>> = {
  '/text': { 'text/plain': { schema: { ...text, enum: ['a', 'b'] } } },
  '/csv': { 'text/csv': { schema: text, example: 'id,name\n1,Saw\n' } },
  '/wrong-text': { 'text/plain': { schema: { ...text, enum: ['a'] }, example: 'c' } },
  '/number': { 'text/plain': { schema: { type: 'integer', minimum: 3 } } },
  '/any-text': { 'text/*': {} },
  '/xml': { 'application/xml': { schema: { type: 'object' }, examples } },
  '/xml-without-example': { 'application/xml': { schema: { type: 'object' } } },
  '/form': { 'application/x-www-form-urlencoded': { schema: { type: 'object' } } },
  '/png': { 'image/png': { example: '<binary>' } },
  '/image': { 'image/*': { schema: { ...text, format: 'binary' } } },
  '/svg': { 'image/svg+xml': {} },
  '/pdf': { 'application/pdf': {} },
  '/bytes': { 'application/octet-stream': { example: 'abc' } },
  '/video': { 'video/mp4': {} },
  '/events': { 'text/event-stream': { itemSchema: event } },
  '/lines': { 'application/jsonl': { itemSchema: item, example: [{ n: 1 }, { n: 2 }] } },
  '/wrong-lines': { 'application/jsonl': { itemSchema: item, example: [{ n: 'a' }] } },
  '/union': { 'application/jsonl': { itemSchema: union } },
  '/union-events': { 'text/event-stream': { itemSchema: unionEvent } },
  '/union-examples': { 'application/jsonl': { itemSchema: union, examples: unionExamples } },
  '/json': { 'application/json': { examples: { one: { dataValue: { n: 7 } } }, schema: item } },
}

const paths = Object.entries(contents).map(([path, content]) => {
  const responses = { 200: { summary: 'Content.', content } }
  return [path, { get: { operationId: path.slice(1), responses } }] as const
})
const description = {
  openapi: '3.2.0',
  info: { title: 'A', version: '1.0.0' },
  servers: [{ url: '/v1' }],
  security: [{ apiKey: [] }],
  paths: Object.fromEntries(paths),
  components: { securitySchemes: { apiKey: { type: 'http', scheme: 'bearer' } } },
}

async function startMock() {
  const bundled = await bundleBesidePlatform(description)
  const api = toApi(bundled, () => () => ({ status: 500 }))
  const config = readConfig({ PORT: '0', OPS_PORT: 'off' })
  const { origin, stop } = await startMockService(config, pino({ level: 'silent' }), api)
  onTestFinished(() => stop())
  const apiKey = createApiKey()
  return (path: string, headers: Readonly<Record<string, string>> = {}) =>
    fetch(`${origin}/v1${path}`, { headers: { Authorization: `Bearer ${apiKey}`, ...headers } })
}

test('the mock sends each form of the items of a stream in turn, with its example', async () => {
  const send = await startMock()
  const bodyOf = async (path: string) => (await send(path)).text()
  const each = '{"opened":8}\n{"closed":9}\n'
  expect(await bodyOf('/union')).toBe(each + each)
  const events = 'data: {"opened":8}\n\ndata: {"closed":9}\n\n'
  expect(await bodyOf('/union-events')).toBe(events + events)
  expect(await bodyOf('/union-examples')).toBe('{"opened":1}\n{"closed":2}\n')
})

test('the mock sends texts, files, bytes and streams of any media type', async () => {
  const send = await startMock()
  const bodyOf = async (path: string, headers = {}) => (await send(path, headers)).text()

  expect(await bodyOf('/text')).toBe('a')
  expect(await bodyOf('/csv')).toBe('id,name\n1,Saw\n')
  expect(await bodyOf('/wrong-text')).toBe('a')
  expect(await bodyOf('/number')).toBe('3')
  expect(await bodyOf('/any-text')).toBe('sample')
  expect(await bodyOf('/xml')).toBe('<a>x</a>')
  expect(await bodyOf('/xml', { Prefer: 'example=two' })).toBe('<b/>')
  expect(await bodyOf('/json')).toBe('{"n":7}')
  expect(await bodyOf('/bytes')).toBe('abc')
  expect(await bodyOf('/video')).toBe('sample')
  expect(await bodyOf('/svg')).toMatch(/^<svg .*<\/svg>$/)
  expect(await bodyOf('/pdf')).toMatch(/^%PDF-1\.4\n.*%%EOF\n$/s)
  expect(await bodyOf('/lines')).toBe('{"n":1}\n{"n":2}\n')
  expect(await bodyOf('/wrong-lines')).toMatch(/^(?:\{"n":\d+\}\n)+$/)
  expect(await bodyOf('/events')).toMatch(/^(?:event: tick\ndata: \{"n":\d+\}\n\n){3}$/)

  for (const path of ['/png', '/image']) {
    const response = await send(path)
    expect(response.headers.get('Content-Type')).toBe('image/png')
    expect(
      Buffer.from(await response.arrayBuffer())
        .subarray(1, 4)
        .toString(),
    ).toBe('PNG')
  }
})

test('content without a sample is 501 with the reason, and is listed', async () => {
  const send = await startMock()
  const missing = ['/xml-without-example', '/form']
  for (const path of missing) {
    const response = await send(path)
    expect(response.status).toBe(501)
    const { message }: { readonly message: string } = JSON.parse(await response.text())
    expect(message).toMatch(/needs an example that is a text\. Add an example/)
  }

  const model = readBundled(await bundleBesidePlatform(description))
  const listed = findMissingSamples(model, model.operations)
  expect(listed.map(({ operation }) => operation.path)).toEqual(missing)
})
