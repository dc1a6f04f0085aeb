import { gzipSync } from 'node:zlib'
import express, { type RequestHandler } from 'express'
import { expect, test, vi } from 'vitest'
import { sampled } from '../../../server/contract/handler.ts'
import { stopClocks } from '../../helpers/clocks.ts'
import { readMetrics } from '../../helpers/metrics.ts'
import { startServiceOf } from '../../helpers/service.ts'
import type { UncheckedJson } from '../../helpers/unchecked-json.ts'
import { createSmallApi } from '../validation/support/small-api.ts'
import { createShop, serve, startInFrontOf } from './support/shop.ts'

const base = '/shop/v1'

type Service = Awaited<ReturnType<typeof startInFrontOf>>

/** Sends a request, whose response may violate the description; returns status and text. */
async function ask({ origin, auth }: Service, path: string, json?: unknown) {
  const content = json === undefined ? {} : { 'Content-Type': 'application/json' }
  const method = json === undefined ? 'GET' : 'POST'
  const body = json === undefined ? null : JSON.stringify(json)
  const init = { method, headers: { ...auth, ...content }, body }
  const response = await fetch(origin + base + path, init)
  return { status: response.status, text: await response.text() }
}

/** Returns the drifts that were counted, by operation and kind. */
async function countsOf(service: Service): Promise<Readonly<Record<string, number>>> {
  const found = [...(await readMetrics(service))].flatMap(([name, count]) => {
    const [, operation, kind] =
      /^api_upstream_drift_total\{operation="(.*)",kind="(.*)"\}$/.exec(name) ?? []
    return operation !== undefined && count > 0 ? [[`${operation} ${kind}`, count]] : []
  })
  return Object.fromEntries(found)
}

function linesOf({ logged }: Service, message: string) {
  return logged.filter(({ msg }) => msg === message)
}

test('each drift of an upstream is in the log and in a metric, and its responses are unchanged', async () => {
  const service = await startInFrontOf(createShop())
  const responses = [
    await ask(service, '/orders', { item: 'later' }),
    await ask(service, '/orders/2'),
    await ask(service, '/customers/2'),
    await ask(service, '/customers/1'),
    await ask(service, '/orders/1'),
  ]
  expect(responses.slice(0, 3)).toEqual([
    { status: 202, text: '{"id":3,"item":"later"}' },
    { status: 200, text: '{"id":"two","item":"Écrou"}' },
    { status: 200, text: '{"id":2,"email":"secret@example.com"}' },
  ])

  await expect
    .poll(() => countsOf(service))
    .toEqual({
      'placeOrder status': 1,
      'getOrder body': 1,
      'getCustomer body': 1,
    })
  const drift = linesOf(service, 'response drift')
  expect(drift).toMatchObject([
    { operationId: 'placeOrder', status: 202, kind: 'status', rule: 'undeclared' },
    { operationId: 'getOrder', status: 200, kind: 'body', pointer: '/body/id', rule: 'type' },
    { operationId: 'getCustomer', pointer: '/body/name', rule: 'required', level: 'warn' },
  ])
  expect(JSON.stringify(drift)).not.toMatch(/secret|two|later/)
})

test('a drift that continues is counted, and logged once a minute with the responses since the last line', async () => {
  stopClocks()
  const service = await startInFrontOf(createShop())
  const seen = () => linesOf(service, 'response drift').map((line) => line['seen'])
  for (const [count, lines] of [
    [5, [1]],
    [8, [1, 5]],
    [9, [1, 5, 3]],
  ] as const) {
    const before = (await countsOf(service))['getCustomer body'] ?? 0
    for (let sent = before; sent < count; sent++) {
      await ask(service, '/customers/2')
    }
    await expect.poll(() => countsOf(service)).toEqual({ 'getCustomer body': count })
    expect(seen()).toEqual(lines)
    vi.advanceTimersByTime(60_000)
  }
})

const drifts: readonly (readonly [string, RequestHandler, string, object])[] = [
  [
    'another media type',
    (_request, response) => void response.set('X-Total', '0').type('text/html').send('<p>'),
    'listOrders media_type',
    { pointer: '/mediaType' },
  ],
  [
    'content without a media type',
    (_request, response) => {
      response.setHeader('X-Total', '0')
      response.end('[]')
    },
    'listOrders media_type',
    { pointer: '/headers/content-type', rule: 'required' },
  ],
  [
    'a header that is missing',
    (_request, response) => void response.json([]),
    'listOrders header',
    { pointer: '/headers/x-total', rule: 'required' },
  ],
  [
    'a header of another type',
    (_request, response) => void response.set('X-Total', 'many').json([]),
    'listOrders header',
    { pointer: '/headers/x-total', rule: 'type' },
  ],
  [
    'a member in content that is compressed',
    (_request, response) => {
      const content = gzipSync('[{"id":1,"item":"a"},{"id":1}]')
      response.set('X-Total', '1').set('Content-Encoding', 'gzip').type('json').send(content)
    },
    'listOrders body',
    { pointer: '/body/*/item', rule: 'required' },
  ],
  [
    'content that is no JSON',
    (_request, response) => void response.set('X-Total', '1').type('json').send('[1,'),
    'listOrders body',
    { pointer: '/body', rule: 'json' },
  ],
]

test.for(drifts)('%s is a drift', async ([, handler, counted, line]) => {
  const service = await startInFrontOf(express().use(handler))
  await ask(service, '/orders')
  await expect.poll(() => countsOf(service)).toEqual({ [counted]: 1 })
  expect(linesOf(service, 'response drift')).toMatchObject([line])
})

const integer = { type: 'integer' }
const point = {
  type: 'object',
  required: ['x'],
  properties: { x: integer, y: integer },
  additionalProperties: false,
}
const flags = { type: 'array', items: { type: 'boolean' } }
const eitherOf = { oneOf: [{ enum: ['all'] }, { type: 'array', items: integer }] }

/** A header, the texts that are sent of it, and the rule that it violates; undefined if it is valid. */
const headers: readonly (readonly [object, string | string[], string?])[] = [
  [{ schema: { type: 'array', items: integer } }, '1,2'],
  [{ schema: { type: 'array', items: integer } }, ['1, 2', '3']],
  [{ schema: { type: 'array', items: integer } }, ''],
  [{ schema: { type: 'array', items: integer } }, '1,a', 'type'],
  [{ schema: { allOf: [flags] } }, 'true,false'],
  [{ schema: point }, 'x,1,y,2'],
  [{ schema: point }, 'x,a', 'type'],
  [{ schema: point }, 'y,1', 'required'],
  [{ schema: point }, 'x', 'type'],
  [{ schema: point, explode: true }, 'x=1, y=2'],
  [{ schema: point, explode: true }, 'x,1', 'type'],
  [{ schema: { allOf: [integer] } }, '7'],
  [{ schema: { ...integer, format: 'int64' } }, '9223372036854775807'],
  [{ schema: integer }, 'seven', 'type'],
  [{ schema: { type: ['integer', 'null'] } }, 'null'],
  [{ schema: { type: 'string', minLength: 1 } }, '', 'minLength'],
  [{ schema: eitherOf }, '1,2'],
  [{ schema: eitherOf }, 'all'],
  [{ content: { 'application/json': { schema: point } } }, '{"x":1}'],
  [{ content: { 'application/json': { schema: point } } }, '{"x":', 'type'],
]

test('content that is too large when it is inflated is sent unchanged, and is no drift', async () => {
  const text = JSON.stringify([{ id: 1, item: 'a'.repeat(1_000_001) }, { id: 'two' }])
  const send: RequestHandler = (_request, response) => {
    response.set('X-Total', '1').set('Content-Encoding', 'gzip').type('json').send(gzipSync(text))
  }
  const service = await startInFrontOf(express().get(`${base}/orders`, send).use(createShop()))
  expect(await ask(service, '/orders')).toEqual({ status: 200, text })
  // Its own drift is counted later.
  await ask(service, '/customers/2')
  await expect.poll(() => countsOf(service)).toEqual({ 'getCustomer body': 1 })
  expect(linesOf(service, 'response drift')).toHaveLength(1)
})

test('headers of an upstream are read in the style and the types that are declared', async () => {
  const nameOf = (index: number) => `x-${index}`
  const declared = headers.map(([header], index) => [nameOf(index), header] as const)
  const content = { 'application/json': {} }
  const response = { headers: Object.fromEntries(declared), content }
  const operation = { method: 'get', path: '/all', response, handler: sampled } as const
  const app = express().use((_request, response) => {
    for (const [index, [, sent]] of headers.entries()) {
      response.setHeader(nameOf(index), sent)
    }
    response.json(true)
  })
  const upstream = await serve(app)
  const environment = { UPSTREAM_URL: upstream.url }
  const service = await startServiceOf(createSmallApi([operation], {}), environment)
  expect((await service.send('/v1/all')).status).toBe(200)

  const expected = headers.flatMap(([, , rule], index) => {
    return rule === undefined ? [] : [`${nameOf(index)} ${rule}`]
  })
  const found = () => {
    const drift = service.logged.filter(({ msg }) => msg === 'response drift')
    return drift.map(({ pointer, rule }) => `${String(pointer).split('/')[2]} ${rule}`)
  }
  await expect.poll(found).toEqual(expected)
})

const invalid: readonly (readonly [string, string, unknown, object])[] = [
  ['a parameter', '/orders?limit=1000', undefined, { pointer: '/query/limit' }],
  ['an unknown parameter', '/orders?token=s3cret', undefined, { pointer: '/query/*' }],
  ['a body', '/orders', { count: 1 }, { pointer: '/body/item', rule: 'invalid_request' }],
]

test.for(invalid)('%s that violates the description is rejected', async ([, path, json]) => {
  const service = await startInFrontOf(createShop())
  const { status, text } = await ask(service, path, json)
  expect(status).toBe(400)
  expect(JSON.parse(text)).toMatchObject({ code: 'invalid_request' })
})

test.for(invalid)(
  '%s that violates the description is forwarded and logged with UPSTREAM_REQUESTS=log',
  async ([, path, json, line]) => {
    const service = await startInFrontOf(createShop(), { UPSTREAM_REQUESTS: 'log' })
    const { status } = await ask(service, path, json)
    expect(status).toBeLessThan(300)
    const requests = linesOf(service, 'request drift')
    expect(requests).toMatchObject([{ kind: 'request', status: 400, ...line }])
    expect(JSON.stringify(requests)).not.toContain('s3cret')
    const operation = json === undefined ? 'listOrders' : 'placeOrder'
    expect((await countsOf(service))[`${operation} request`]).toBe(1)
  },
)

test('content that is too large or of another type is forwarded whole with UPSTREAM_REQUESTS=log', async () => {
  const measure: RequestHandler = async (request, response) => {
    let length = 0
    for await (const chunk of request) {
      length += chunk.length
    }
    response.status(201).json({ id: length, item: '' })
  }
  const service = await startInFrontOf(express().use(measure), { UPSTREAM_REQUESTS: 'log' })
  const { origin, auth } = service
  const send = async (type: string, body: string | ReadableStream) => {
    const headers = { ...auth, 'Content-Type': type }
    const init = { method: 'POST', headers, body, duplex: 'half' } as const
    const response = await fetch(`${origin}${base}/orders`, init)
    const created: UncheckedJson = await response.json()
    return created.id
  }
  expect(await send('application/json', 'a'.repeat(1_200_000))).toBe(1_200_000)
  const stream = new Blob(['a'.repeat(1_300_000)]).stream()
  expect(await send('application/json', stream)).toBe(1_300_000)
  expect(await send('text/plain', 'abc')).toBe(3)
  const rules = linesOf(service, 'request drift').map(({ rule }) => rule)
  expect(rules).toEqual(['payload_too_large', 'unsupported_media_type'])
})
