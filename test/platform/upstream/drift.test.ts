import { gzipSync } from 'node:zlib'
import express, { type RequestHandler } from 'express'
import { expect, test } from 'vitest'
import { readMetrics } from '../../helpers/metrics.ts'
import type { UncheckedJson } from '../../helpers/unchecked-json.ts'
import { createShop, startInFrontOf } from './support/shop.ts'

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

test('a drift that continues is counted, and logged once a minute', async () => {
  const service = await startInFrontOf(createShop())
  for (let count = 0; count < 5; count++) {
    await ask(service, '/customers/2')
  }
  await expect.poll(() => countsOf(service)).toEqual({ 'getCustomer body': 5 })
  expect(linesOf(service, 'response drift')).toHaveLength(1)
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
