import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { startMockService } from '../../../server/commands/mock-service.ts'
import { readConfig } from '../../../server/config.ts'
import { readBundled } from '../../../server/description/description-reader.ts'
import { findMissingSamples } from '../../../server/mock/missing-samples.ts'
import { apiKeyMarker } from '../../../server/process/names.ts'
import { createApiKey } from '../../../server/security/api-key.ts'
import type { Api } from '../../../server/served-api.ts'
import { fixtureApi } from '../../fixture-api/fixture-api.ts'
import description from '../../fixture-api/generated/openapi.json' with { type: 'json' }
import { fixtureWith } from '../../helpers/fixture-service.ts'
import type { UncheckedJson } from '../../helpers/unchecked-json.ts'

const json = { 'Content-Type': 'application/json' }
const post = (body: unknown) => ({ method: 'POST', body: JSON.stringify(body) })

/** Starts the mock of an API as `npm run mock` does for the API of the project. */
async function startMock(api: Api = fixtureApi) {
  const config = readConfig({ PORT: '0', OPS_PORT: 'off' })
  const { origin, stop } = await startMockService(config, pino({ level: 'silent' }), api)
  onTestFinished(() => stop())
  const apiKey = createApiKey()
  return (path: string, init: RequestInit = {}) =>
    fetch(origin + api.basePath + path, {
      ...init,
      headers: { Authorization: `Bearer ${apiKey}`, ...(init.body && json), ...init.headers },
    })
}

const saw = { kind: 'saw', name: 'Ryoba' }

test('each example of a response can be requested with Prefer', async () => {
  const send = await startMock()
  const success = description.paths['/tools'].get.responses[200]
  const error = description.components.responses.Unauthorized
  for (const [code, { content }] of Object.entries({ 200: success, 401: error })) {
    for (const [name, { value }] of Object.entries<UncheckedJson>(
      content['application/json'].examples,
    )) {
      const prefer = `code=${code}, example=${name}`
      const response = await send('/tools', { headers: { Prefer: prefer } })
      expect([response.status, await response.json()]).toEqual([Number(code), value])
      expect(response.headers.get('Preference-Applied')).toBe(prefer)
    }
  }
})

test('without Prefer the first success response is sent, with its headers, and counted', async () => {
  const send = await startMock()
  const response = await send('/tools')
  expect(response.status).toBe(200)
  const { page } =
    description.paths['/tools'].get.responses[200].content['application/json'].examples
  expect(await response.json()).toEqual(page.value)
  const [, next = ''] = /<([^>]+)>; rel="next"/.exec(response.headers.get('Link') ?? '') ?? []
  expect(response.headers.get('X-RateLimit-Limit')).toMatch(/^\d+$/)
  const remaining = async () => Number((await send('/tools')).headers.get('X-RateLimit-Remaining'))
  expect((await remaining()) - (await remaining())).toBe(1)
  expect(response.headers.get('X-Request-Id')).toMatch(/^[\w-]+$/)
  expect(response.headers.get('Preference-Applied')).toBeNull()
  const deleted = await send('/tools/1', { method: 'DELETE' })
  expect([deleted.status, await deleted.text()]).toEqual([204, ''])
  expect((await send('/opening-hours', { headers: { Authorization: '' } })).status).toBe(200)
  // Pagination ends: a page that is requested with a cursor has no next page.
  const second = await send(next.replace(fixtureApi.basePath, ''))
  expect([second.status, second.headers.get('Link')]).toEqual([200, null])
  // Headers that report an event are not sent.
  const created = await send('/tools', post(saw))
  expect([created.status, created.headers.get('Idempotent-Replayed')]).toEqual([201, null])
})

/** Returns the status, the header fields and the JSON of a response. */
async function read(response: Response) {
  const { status, headers } = response
  const body: UncheckedJson = await response.json()
  return { status, headers: Object.fromEntries(headers), body }
}

test('a list has the items that the query asks for, and the link to its next page has that query', async () => {
  const send = await startMock()
  const { page } =
    description.paths['/tools'].get.responses[200].content['application/json'].examples
  const [drill, saw] = page.value
  const lists: readonly (readonly [query: string, items: readonly unknown[]])[] = [
    ['', [drill, saw]],
    ['?limit=1', [drill]],
    ['?limit=50', [drill, saw]],
    ['?kind=saw', [saw]],
    ['?kind=drill&limit=1', [drill]],
  ]
  for (const [query, items] of lists) {
    const { status, headers, body } = await read(await send(`/tools${query}`))
    expect([query, status, body]).toEqual([query, 200, items])
    const [, target = ''] = /<([^>]+)>; rel="next"/.exec(headers['link'] ?? '') ?? []
    const linked = new URL(target, 'http://a').searchParams
    for (const [name, value] of new URLSearchParams(query)) {
      expect(linked.get(name), query).toBe(value)
    }
    expect(linked.get('cursor'), query).toMatch(/./)
    // The second page is for the same query, and the last one.
    const second = await send(target.replace(fixtureApi.basePath, ''))
    expect([query, await second.json()]).toEqual([query, items])
    expect(second.headers.get('link')).toBeNull()
  }
  // An example that is chosen by its name is sent unchanged.
  const chosen = await send('/tools?limit=1', { headers: { Prefer: 'example=page' } })
  expect(await chosen.json()).toEqual(page.value)
})

test('items get the value of a filter that no example has, if it is valid for them', async () => {
  const items = { type: 'object', properties: { size: { enum: [1, 2, 3] } } }
  const list = { type: 'array', items }
  const envelope = { type: 'object', properties: { items: list, total: { type: 'integer' } } }
  const query = {
    size: { required: false, type: 'integer' },
    perPage: { required: false, type: 'integer' },
  }
  const api = fixtureWith({
    edit({ paths }) {
      const { get } = paths['/opening-hours']
      get.parameters = Object.keys(query).map((name) => ({
        ...{ name, in: 'query', schema: { type: 'integer' } },
      }))
      const example = { items: [{ size: 1 }, { size: 2 }, {}], total: 3 }
      get.responses[200].content = { 'application/json': { schema: envelope, example } }
    },
    operations: {
      getOpeningHours: {
        parameters: { ...fixtureApi.operations['getOpeningHours']?.parameters, query },
      },
    },
  })
  const send = await startMock(api)
  const itemsOf = async (search: string) => {
    const response = await send(`/opening-hours${search}`)
    const { items }: { readonly items: unknown } = await response.json()
    return items
  }
  expect(await itemsOf('?size=2')).toEqual([{ size: 2 }])
  expect(await itemsOf('?size=3&perPage=2')).toEqual([{ size: 3 }, { size: 3 }])
  expect(await itemsOf('?size=9')).toEqual([{ size: 1 }, { size: 2 }, {}])
})

test('a resource has the values of the path that was requested', async () => {
  const send = await startMock()
  const bodyOf = async (path: string) => (await send(path)).json()
  expect(await bodyOf('/tools/7')).toMatchObject({ id: 7 })
  expect(await bodyOf('/members/bob/loans/8.json')).toMatchObject({ member: 'bob', number: 8 })
  // An example of another resource below it is unchanged.
  const manual = description.paths['/tools/{toolId}/manual'].get.responses[200]
  const { value } = manual.content['application/json'].examples.manual
  expect(await bodyOf('/tools/7/manual')).toEqual(value)
})

test('headers of an error agree with its body, and the body with the path that was requested', async () => {
  const send = await startMock()
  const preferring = async (prefer: string, path = '/tools') =>
    read(await send(path, { headers: { Prefer: prefer } }))
  const unavailable = await preferring('code=503')
  const [, seconds] = /Retry in (\d+) s/.exec(unavailable.body.message) ?? []
  expect(unavailable.headers['retry-after']).toBe(seconds)
  for (const [example, challenge] of [
    ['missing', 'Bearer'],
    ['invalid', 'Bearer error="invalid_token"'],
  ]) {
    const { headers } = await preferring(`code=401, example=${example}`)
    expect([example, headers['www-authenticate']]).toEqual([example, challenge])
  }
  const before = Date.now()
  const { headers: limited, body } = await preferring('code=429')
  const [, limit, wait] = /limit of (\d+) .*Retry in (\d+) s/.exec(body.message) ?? []
  expect(limited).toMatchObject({
    'retry-after': wait,
    'x-ratelimit-limit': limit,
    'x-ratelimit-remaining': '0',
  })
  const reset = Number(limited['x-ratelimit-reset']) - Number(wait)
  expect(reset).toBeGreaterThanOrEqual(Math.floor(before / 1000))
  expect(reset).toBeLessThanOrEqual(Math.ceil(Date.now() / 1000))
  for (const id of [1, 7, 42]) {
    const { status, body: error } = await preferring('code=404', `/tools/${id}`)
    expect([status, error.message]).toEqual([404, `There is no tool ${id}.`])
  }
})

test('a text about a path with several parameters names each of them', async () => {
  const api = fixtureWith({
    edit({ components }) {
      const { examples } = components.responses.NotFound.content['application/json']
      examples.notFound.value.message = 'ann has no loan 7, planned: 77.'
    },
  })
  const send = await startMock(api)
  const init = { headers: { Prefer: 'code=404' } }
  const { body } = await read(await send('/members/Bob%20B/loans/8.json', init))
  expect(body.message).toBe('Bob B has no loan 8, planned: 77.')
})

test('errors of a list have no link to a next page, also where they declare one', async () => {
  const api = fixtureWith({
    edit({ components: { headers, responses } }) {
      for (const name of ['InvalidParameters', 'TooManyRequests']) {
        responses[name].headers.Link = headers.Link
      }
    },
  })
  const send = await startMock(api)
  for (const code of [400, 401, 429, 500, 503]) {
    const { status, headers } = await send('/tools', { headers: { Prefer: `code=${code}` } })
    expect([status, headers.get('link')]).toEqual([code, null])
  }
})

// RFC 7240: names in any case, spaces, quoted values, several header fields; the first value counts.
const applied: readonly (readonly [prefer: string, status: number, applied: string | null])[] = [
  ['Code = 401 ; strict, code=500', 401, 'code=401'],
  ['code=401;example="missing" ;, wait', 401, 'code=401, example=missing'],
  ['code=401, =none', 401, 'code=401'],
  [',,', 200, null],
]

const notApplied: readonly (readonly [prefer: string, message: RegExp])[] = [
  [
    'code=418',
    /^listTools has no response with the code "418"\. It has: 200 \(page, empty\); 400 /,
  ],
  ['code=200; example=none', /^listTools has no example "none" of its 200\. It has: /],
  ['example="a, b"', /^listTools has no example "a, b" of its 200\. /],
  [`code=${'9'.repeat(300)}`, /"9{99}…"/],
]

test('Prefer is applied, or rejected with 400 and a list of the responses', async () => {
  const send = await startMock()
  for (const [prefer, status, value] of applied) {
    const { status: got, headers } = await send('/tools', { headers: { Prefer: prefer } })
    expect([prefer, got, headers.get('Preference-Applied')]).toEqual([prefer, status, value])
  }
  for (const [prefer, message] of notApplied) {
    const response = await send('/tools', { headers: { Prefer: prefer } })
    expect([prefer, response.status]).toEqual([prefer, 400])
    expect(await response.json()).toMatchObject({
      code: 'invalid_request',
      status: 400,
      message: expect.stringMatching(message),
      details: [{ path: '/headers/prefer' }],
    })
  }
})

test('a code without content that Prefer takes from a range has none, whatever the range declares', async () => {
  const api = fixtureWith({
    edit({ paths }) {
      const { get } = paths['/opening-hours']
      get.responses = { ...get.responses, '2XX': get.responses[200] }
    },
  })
  const send = await startMock(api)
  for (const code of [204, 205]) {
    const response = await send('/opening-hours', { headers: { Prefer: `code=${code}` } })
    expect([response.status, await response.text()]).toEqual([code, ''])
  }
})

test('requests are validated as they are by the service', async () => {
  const send = await startMock()
  const statusOf = async (init: RequestInit, path = '/tools') => (await send(path, init)).status
  expect(await statusOf({ headers: { Authorization: `Bearer ${apiKeyMarker}1` } })).toBe(401)
  expect(await statusOf({}, '/tools?limit=0')).toBe(400)
  expect(await statusOf(post({ kind: 'saw' }))).toBe(400)
})

const id = { type: 'string', pattern: '^a$' }
const next = { $ref: '#/components/schemas/Chain' }
const Chain = { type: 'object', required: ['id'], properties: { id, next } }

/** Starts a mock with other content and headers in the 200 of `GET /opening-hours`, which it requests. */
async function startSampler(media: object, headers: object = {}) {
  const api = fixtureWith({
    edit({ paths, components }) {
      const response = paths['/opening-hours'].get.responses[200]
      response.content = { 'application/json': media }
      Object.assign(response.headers, headers)
      Object.assign(components.schemas, { Chain })
    },
  })
  const send = await startMock(api)
  return (init?: RequestInit) => send('/opening-hours', init)
}

const secret = { type: 'string', writeOnly: true }
test.for([
  [
    'of a schema that refers to itself is valid at every level',
    { next: Chain },
    { next: { id: 'a', next: { id: 'a' } } },
  ],
  ['has no property that is writeOnly', { id, secret }, { id: 'a' }],
] as const)('a sample %s, and is always the same', async ([, properties, body]) => {
  const required = Object.keys(properties)
  const get = await startSampler({ schema: { type: 'object', required, properties } })
  for (let count = 0; count < 2; count++) {
    const response = await get()
    expect([response.status, await response.json()]).toEqual([200, body])
  }
})

test('an operation without a valid sample is 501, which the served description declares', async () => {
  const impossible = { type: 'string', pattern: '^a$', minLength: 2 }
  const header = { 'X-Next': { required: true, schema: impossible } }
  const cases = [
    [{ schema: impossible }, {}, /no sample of its 200 keeps the contract: body /],
    [{ schema: { type: 'string' } }, header, /no sample of its 200 .*: header X-Next /],
  ] as const
  for (const [media, headers, message] of cases) {
    const api = fixtureWith({
      edit({ paths }) {
        const response = paths['/opening-hours'].get.responses[200]
        response.content = { 'application/json': media }
        Object.assign(response.headers, headers)
      },
    })
    const send = await startMock(api)
    const response = await send('/opening-hours')
    expect(response.status).toBe(501)
    expect(await response.json()).toMatchObject({
      code: 'not_implemented',
      message: expect.stringMatching(message),
    })
    const description = readBundled(api.description)
    const missing = findMissingSamples(description, description.operations)
    expect(missing.map(({ operation }) => operation.name)).toEqual(['GET /opening-hours'])
  }

  const send = await startMock()
  const chosen = await send('/opening-hours', { headers: { Prefer: 'code=501' } })
  expect(chosen.status).toBe(501)
  expect(await chosen.json()).toMatchObject({ code: 'not_implemented' })
})

test('a response without a valid sample is a 501 that says so; a wrong example is not used', async () => {
  const messageOf = async (schema: object, headers = {}) => {
    const get = await startSampler({ schema, examples: { a: { value: 'x' } } })
    const response = await get({ headers })
    const { message }: { readonly message?: string } = await response.json()
    return [response.status, message]
  }
  const impossible = { type: 'integer', minimum: 5, maximum: 4 }
  const reason =
    /^getOpeningHours has no handler, and no sample of its 200 keeps the contract: body .*Prefer: code=…\.$/
  expect(await messageOf(impossible)).toEqual([501, expect.stringMatching(reason)])
  const wrong = [501, expect.stringContaining('body must be integer')]
  expect(await messageOf({ type: 'integer' }, { Prefer: 'example=a' })).toEqual(wrong)
  expect((await messageOf({ type: 'integer' }))[0]).toBe(200)
})

test.for([
  ['without a schema', {}],
  ['with a schema that allows anything', { schema: {} }],
] as const)('JSON %s has a sample', async ([, content]) => {
  const api = fixtureWith({
    edit({ paths }) {
      paths['/opening-hours'].get.responses[200].content = { 'application/json': content }
    },
  })
  const send = await startMock(api)
  const response = await send('/opening-hours')
  expect(response.status).toBe(200)
  expect(await response.text()).not.toBe('')
})

test('required headers have their example or a sample, optional headers are omitted', async () => {
  const get = await startSampler(
    { schema: { const: 1 } },
    {
      'X-Shown': { required: true, schema: { type: 'integer' }, example: 7 },
      'X-AtTimes': { schema: { type: 'boolean', const: true }, example: true },
      'X-Required': { required: true, schema: { type: 'string', pattern: '^a+$' } },
      'X-Optional': { schema: { type: 'string' } },
      'X-Wrong': { required: true, schema: { type: 'integer' }, example: 'many' },
    },
  )
  const { headers } = await get()
  expect(Object.fromEntries(headers)).toMatchObject({
    'x-shown': '7',
    'x-required': expect.stringMatching(/^a+$/),
    'x-wrong': expect.stringMatching(/^-?\d+$/),
    'cache-control': 'no-store',
  })
  expect(['X-AtTimes', 'X-Optional'].filter((name) => headers.has(name))).toEqual([])
})
