import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import type { CallableHandler } from '../../../server/contract/handler.ts'
import { bundleBesidePlatform, toApi } from '../../helpers/compiled-api.ts'
import { casesOf } from '../../helpers/conformance/cases.ts'
import { testConformance } from '../../helpers/conformance/conformance.ts'
import { readDescription } from '../../helpers/conformance/description.ts'
import { createResponseCheck } from '../../helpers/conformance/responses.ts'

const text = { type: 'string' }
const count = { type: 'integer', minimum: 1 }
const form = {
  type: 'object',
  required: ['name', 'count'],
  properties: { name: { ...text, minLength: 2 }, count, tags: { type: 'array', items: text } },
}
const album = {
  type: 'object',
  required: ['title', 'cover'],
  properties: {
    title: text,
    cover: { ...text, format: 'binary' },
    place: { type: 'object', required: ['city'], properties: { city: text } },
  },
}
const item = { type: 'object', required: ['n'], properties: { n: count } }
const body = (mediaType: string, media: object) => ({
  requestBody: { required: true, content: { [mediaType]: media } },
})
const json = { 200: { description: 'Done.', content: { 'application/json': { schema: {} } } } }
const ok = (content: object) => ({ 200: { description: 'Done.', content } })
const described = {
  '/form': { ...body('application/x-www-form-urlencoded', { schema: form }), responses: json },
  '/album': {
    ...body('multipart/form-data', {
      schema: album,
      encoding: { cover: { contentType: 'image/png, image/gif' } },
    }),
    responses: json,
  },
  '/text': { ...body('text/plain', { schema: { ...text, maxLength: 10 } }), responses: json },
  '/xml': { ...body('application/xml', { schema: { type: 'object' } }), responses: json },
  '/bytes': { ...body('image/png', {}), responses: ok({ 'image/png': {} }) },
  '/lines': {
    ...body('application/jsonl', { itemSchema: item }),
    responses: ok({ 'application/jsonl': { itemSchema: item } }),
  },
  '/events': { responses: ok({ 'text/event-stream': { itemSchema: item } }) },
}

const handlers: Readonly<Record<string, CallableHandler>> = {
  bytes: ({ body: received }) => ({ status: 200, body: received }),
  lines: () => ({ status: 200, body: countUp() }),
  events: () => ({ status: 200, body: countUp() }),
}

/** Sends items without an end. */
async function* countUp() {
  for (let n = 1; ; n++) {
    yield { n }
    await wait(20)
  }
}

const paths = Object.entries(described).map(([path, operation]) => {
  return [path, { post: { operationId: path.slice(1), ...operation } }] as const
})
const bundled = await bundleBesidePlatform(
  {
    openapi: '3.2.0',
    info: { title: 'A', version: '1.0.0' },
    servers: [{ url: '/v1' }],
    security: [{ apiKey: [] }],
    paths: Object.fromEntries(paths),
    components: { securitySchemes: { apiKey: { type: 'http', scheme: 'bearer' } } },
  },
  {},
  afterAll,
)
const done: CallableHandler = () => ({ status: 200, body: {} })
const api = toApi(bundled, (operationId) => handlers[operationId] ?? done)

testConformance(api)

const description = readDescription(api.description)

test('requests have content of each kind, without fields that are required, too', () => {
  const all = description.operations.map((operation) => {
    const cases = casesOf(description, operation)
    return [operation.operationId, cases] as const
  })
  const kinds = new Map(
    all.map(([name, cases]) => [name, new Set(cases.flatMap((one) => one.kinds))]),
  )
  expect(kinds.get('form')).toContain('body: required')
  expect(kinds.get('album')).toContain('body: required')
  const first = new Map(all.map(([name, [one]]) => [name, one?.request]))
  expect(first.get('form')?.body).toMatch(/(?=.*name=text)(?=.*count=1)(?=.*tags=text)/)
  expect(first.get('album')?.body).toMatch(
    /name="cover"; filename="a.bin"\r\nContent-Type: image\/png/,
  )
  expect(first.get('bytes')).toMatchObject({
    headers: { 'Content-Type': 'image/png' },
    body: 'sample',
  })
})

test('items of a stream that are not declared are found', () => {
  const check = createResponseCheck(description)
  const violationsOf = (path: string, type: string, content: string) => {
    const headers = new Headers({ 'Content-Type': type })
    const found = check(
      { method: 'POST', path: `/v1${path}` },
      { status: 200, headers, body: content },
    )
    return found.filter((violation) => /item|body/.test(violation))
  }
  expect(violationsOf('/lines', 'application/jsonl', '{"n":1}\n{"n":2}\n{"n"')).toEqual([])
  expect(violationsOf('/lines', 'application/jsonl', '{"n":1}\n{"n":0}\n')).toHaveLength(1)
  expect(violationsOf('/events', 'text/event-stream', ': a\n\ndata: {"n":1}\n\n')).toEqual([])
  expect(violationsOf('/events', 'text/event-stream', 'data: {"n":"a"}\n\n')).toHaveLength(1)
  expect(violationsOf('/bytes', 'image/png', 'any')).toEqual([])
})
