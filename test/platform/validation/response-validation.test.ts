import { expect, test } from 'vitest'
import { operations } from '../../fixture-api/generated/operations.ts'
import { startFixtureService, startFixtureWith } from '../../helpers/fixture-service.ts'
import { readMetrics } from '../../helpers/metrics.ts'
import { startServiceOf } from '../../helpers/service.ts'
import { createSmallApi } from './support/small-api.ts'

const path = '/lending/v2/tools'
const tool = { id: 1, kind: 'saw', name: 'Ryoba' }
const notFound = { code: 'not_found', message: 'There is no tool 7.', status: 404 }

// Some responses break the description on purpose: they are sent without a check of the test's own.
function get(origin: string, apiKey: string, target = path, method = 'GET') {
  return fetch(origin + target, { method, headers: { Authorization: `Bearer ${apiKey}` } })
}

/** How many violations were counted of each operation that has some. */
async function violationsOf(service: { metricsUrl: string }) {
  const counts: Record<string, number> = {}
  for (const [series, count] of await readMetrics(service)) {
    const [, operation] = /contract_violations_total\{operation="(\w+)"/.exec(series) ?? []
    if (operation !== undefined && count > 0) {
      counts[operation] = count
    }
  }
  return counts
}

const manual = { text: 'Ryoba' }
const withHeader = (name: string, value?: string) => {
  return { status: 200, body: manual, headers: { [name]: value } }
}
const missing = { status: 404, body: notFound }
const limited = { status: 429, body: notFound, headers: { 'Retry-After': 1 } }

/** Responses of `getManual`, or of `listTools` where the body is an array. */
const wrong = {
  'an undeclared status': { status: 418, body: manual },
  'a wrong body': { status: 200, body: { text: 1 } },
  'no body': { status: 200, body: undefined },
  'a body that JSON cannot express': { status: 200, body: { text: 1n } },
  'a missing header': withHeader('X-RateLimit-Limit'),
  'a wrong header': withHeader('X-RateLimit-Remaining', 'no'),
  'an undeclared header': withHeader('X-More', '1'),
  'another media type': { status: 200, body: 'Ryoba', mediaType: 'text/plain' },
  'the code of another status': { ...missing, body: { ...notFound, code: 'rate_limited' } },
  'the body of another status': limited,
  'a wrong body of 5xx': { status: 500, body: { code: 'x' } },
  'too many items': { status: 200, body: Array(51).fill(tool) },
  'a wrong optional header': { status: 200, body: [], headers: { 'X-Total': 'many' } },
}

test('a response that breaks the description becomes a 500 and a log line', async () => {
  let result: { readonly status: number; readonly body: unknown } = missing
  const deleteTool = () => ({ status: 204, body: tool })
  const handlers = { getManual: () => result, listTools: () => result, deleteTool }
  const service = await startFixtureWith({ handlers }, { OPS_PORT: '0' })
  const { origin, apiKey, logged } = service
  for (const [what, response] of Object.entries(wrong)) {
    result = response
    const target = Array.isArray(response.body) ? path : `${path}/1/manual`
    const sent = await get(origin, apiKey, target)
    expect([sent.status, sent.statusText], what).toEqual([500, 'Internal Server Error'])
    const text = await sent.text()
    expect(JSON.parse(text), what).toMatchObject({ code: 'internal_error', status: 500 })
    expect(text, what).not.toContain('Ryoba')
    expect(sent.headers.get('x-ratelimit-limit'), what).toMatch(/^\d+$/)
    expect([sent.headers.get('x-more'), sent.headers.get('x-total')], what).toEqual([null, null])
    const { status } = response
    const requestId = sent.headers.get('x-request-id')
    expect(logged.at(-1), what).toMatchObject({ level: 'error', requestId, path: target, status })
  }
  const deleted = await get(origin, apiKey, `${path}/1`, 'DELETE')
  expect(deleted.status, 'a body where none is declared').toBe(500)
  expect(logged.at(-1)).toMatchObject({ level: 'error', status: 204 })
  const count = Object.keys(wrong).length
  expect(logged).toHaveLength(count + 1)
  expect(await violationsOf(service)).toEqual({ getManual: count - 2, listTools: 2, deleteTool: 1 })
})

test('with RESPONSE_VALIDATION=log, a wrong response is sent and logged', async () => {
  let result = { status: 200, body: [{ ...tool, id: '1' }], headers: { 'X-More': '1' } }
  const changes = { handlers: { listTools: () => result } }
  const environment = { RESPONSE_VALIDATION: 'log', OPS_PORT: '0' }
  const service = await startFixtureWith(changes, environment)
  const response = await get(service.origin, service.apiKey)
  expect([response.status, response.headers.get('x-more')]).toEqual([200, '1'])
  expect(await response.json()).toEqual(result.body)
  expect(service.logged).toMatchObject([{ level: 'error', path, status: 200 }])
  expect(await violationsOf(service)).toEqual({ listTools: 1 })
  // A header that HTTP does not allow cannot be sent.
  result = { ...result, headers: { 'X-More': 'a\nb' } }
  const { status, statusText } = await get(service.origin, service.apiKey)
  expect([status, statusText]).toEqual([500, 'Internal Server Error'])
  expect(JSON.stringify(service.logged.at(-1))).toContain('X-More')
})

test('a response of two JSON media types is validated by the schema of the one that is sent', async () => {
  const problem = { schema: { type: 'object', required: ['detail'] } }
  let body: object = manual
  const service = await startFixtureWith({
    handlers: { getManual: () => ({ status: 200, body }) },
    edit({ paths }) {
      const { responses } = paths['/tools/{toolId}/manual'].get
      const { content } = responses[200]
      responses[200].content = { 'application/problem+json': problem, ...content }
    },
  })
  const { send, origin, apiKey } = service
  expect((await send(`${path}/1/manual`)).status).toBe(200)
  body = { detail: 'It has no text.' }
  expect((await get(origin, apiKey, `${path}/1/manual`)).status).toBe(500)
})

test('the link of a deprecated operation and those of its handler are in one field', async () => {
  const replacedBy = { operationId: 'getOpeningHours' }
  const { send } = await startFixtureWith({
    handlers: { getManual: () => withHeader('Link', '<a>; rel="next"') },
    edit({ paths }) {
      const { get } = paths['/tools/{toolId}/manual']
      get['x-replaced-by'] = replacedBy
      get.responses[200].headers.Link = { $ref: '#/components/headers/Link' }
    },
    operations: { getManual: { deprecation: { ...operations.getManual.deprecation, replacedBy } } },
  })
  const successor = '</lending/v2/opening-hours>; rel="successor-version"'
  const { headers } = await send(`${path}/1/manual`)
  expect(headers.get('link')).toBe(`<a>; rel="next", ${successor}`)
})

test('the link of a deprecated operation to its successor has the path parameters of the request', async () => {
  const { send } = await startFixtureService()
  for (const [sent, linked] of [
    ['7', '7'],
    ['a%20b', 'a%20b'],
    ['%zz', '%25zz'],
    ['%3E%22', '%3E%22'],
  ]) {
    const { headers } = await send(`${path}/${sent}/manual`)
    expect(headers.get('link')).toBe(`<${path}/${linked}>; rel="successor-version"`)
  }
  const rejected = await send(`${path}/1/manual`, { key: '' })
  expect([rejected.status, rejected.headers.get('link')]).toEqual([
    401,
    `<${path}/1>; rel="successor-version"`,
  ])
})

test('the link of a deprecated operation leads to the url of x-replaced-by, if it has one', async () => {
  const url = 'https://api.example/guide#manuals'
  const replacedBy = { operationId: 'getLoan', url }
  const { send } = await startFixtureWith({
    edit({ paths }) {
      paths['/tools/{toolId}/manual'].get['x-replaced-by'] = replacedBy
    },
    operations: { getManual: { deprecation: { ...operations.getManual.deprecation, replacedBy } } },
  })
  const { headers } = await send(`${path}/1/manual`)
  expect(headers.get('link')).toBe(`<${url}>; rel="successor-version"`)
})

test('responses of operations without an operationId are validated by their own schemas', async () => {
  const unnamed = (path: string, type: string, body: unknown) => ({
    ...{ method: 'get', path, isUnnamed: true },
    response: { content: { 'application/json': { schema: { type } } } },
    handler: () => ({ status: 200, body }),
  })
  const api = createSmallApi([unnamed('/a', 'string', 'a'), unnamed('/b', 'integer', 1)], {})
  const { send } = await startServiceOf(api)
  for (const [path, body] of [
    ['/v1/a', 'a'],
    ['/v1/b', 1],
  ] as const) {
    const response = await send(path)
    expect([response.status, await response.json()]).toEqual([200, body])
  }
})
