import { expect, test } from 'vitest'
import { checkOwnResponses } from '../../../scripts/checks/own-responses.ts'
import { bundleDescription, openDescription } from '../../../scripts/pipeline/bundle.ts'
import { errorObject, problemDetails } from '../../../server/contract/error-format.ts'
import { sendBytes } from '../../helpers/raw.ts'
import { startServiceOf, type TestService } from '../../helpers/service.ts'
import { createErrorApi, type DescribedErrors, writeErrorSpec } from './support/error-api.ts'

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const text = { type: 'string' }

/** Returns a response with content of a media type. */
function response(schema: object, mediaType = 'application/json', example?: unknown) {
  const media = { schema, ...(example === undefined ? {} : { example }) }
  return { description: 'An error.', content: { [mediaType]: media } }
}

/** Returns the same response for all statuses that the service sends. */
function forAll(declared: object): Record<string, object> {
  const statuses = [400, 401, 404, 406, 413, 415, 429, 500, 503]
  return Object.fromEntries(statuses.map((status) => [status, declared]))
}

const problem = {
  type: 'object',
  required: ['type', 'title', 'status', 'detail'],
  properties: {
    type: { type: 'string', format: 'uri-reference' },
    title: text,
    status: { type: 'integer' },
    detail: text,
    instance: { type: 'string', format: 'uri-reference' },
  },
}
const nested = {
  type: 'object',
  required: ['error'],
  additionalProperties: false,
  properties: {
    error: {
      type: 'object',
      required: ['code', 'message'],
      additionalProperties: false,
      properties: {
        code: { type: 'string', enum: ['BAD_REQUEST', 'UNAUTHENTICATED', 'NOT_FOUND', 'INTERNAL'] },
        message: text,
        requestId: text,
      },
    },
  },
}
const plain = {
  type: 'object',
  required: ['message'],
  additionalProperties: false,
  properties: { message: text },
}
const jsonApi = {
  type: 'object',
  required: ['errors'],
  additionalProperties: false,
  properties: {
    errors: {
      type: 'array',
      minItems: 1,
      items: {
        type: 'object',
        required: ['status', 'title'],
        additionalProperties: false,
        properties: {
          id: text,
          status: text,
          title: text,
          detail: text,
          source: { type: 'object', properties: { pointer: text, parameter: text } },
        },
      },
    },
  },
}

const missing = 'There is no room none.'

/** Descriptions of errors, and the body that each has for a room that does not exist. */
const formats: readonly (readonly [name: string, described: DescribedErrors, body: unknown])[] = [
  [
    'problem details',
    {
      responses: forAll(response(ref('Problem'), 'application/problem+json')),
      components: { schemas: { Problem: problem } },
      errorFormat: problemDetails,
    },
    { type: 'about:blank', title: 'Not Found', status: 404, detail: missing, code: 'not_found' },
  ],
  [
    'an object in `error` with its own codes',
    {
      responses: forAll(response(ref('Failure'))),
      components: { schemas: { Failure: nested } },
    },
    {
      error: {
        code: 'NOT_FOUND',
        message: missing,
        requestId: expect.stringMatching(/^[\w-]{36}$/),
      },
    },
  ],
  [
    'a message alone',
    { responses: forAll(response(ref('Failure'))), components: { schemas: { Failure: plain } } },
    { message: missing },
  ],
  [
    'a message alone, as default',
    { responses: { default: response(plain) } },
    { message: missing },
  ],
  [
    'a message alone, in ranges',
    { responses: { '4XX': response(plain), '5XX': response(plain) } },
    { message: missing },
  ],
  [
    'errors of JSON:API',
    { responses: { default: response(jsonApi, 'application/vnd.api+json') } },
    { errors: [{ status: '404', title: 'Not Found', detail: missing }] },
  ],
  [
    'an example in place of a schema',
    {
      responses: {
        default: response({ type: 'object' }, 'application/json', {
          ok: false,
          reason: 'No.',
          room: 'a',
        }),
      },
    },
    // Any object is allowed, so that it has the format of the API.
    { code: 'not_found', message: missing, status: 404 },
  ],
  [
    'required members of which nothing is known',
    {
      responses: {
        default: response(
          {
            type: 'object',
            required: ['error', 'timestamp', 'help', 'retry', 'attempts'],
            additionalProperties: false,
            properties: {
              timestamp: { type: 'string', format: 'date-time' },
              error: text,
              help: { type: 'string', format: 'uri' },
              retry: { type: 'boolean' },
              attempts: { type: 'integer', minimum: 1 },
              room: text,
            },
          },
          'application/json',
          { timestamp: '2020-01-01T00:00:00Z', error: 'a', help: 'https://a.example', room: 'b' },
        ),
      },
    },
    {
      timestamp: expect.stringMatching(/^20\d\d-/),
      error: missing,
      help: 'https://a.example',
      retry: false,
      attempts: 1,
    },
  ],
  [
    'one of two forms',
    {
      responses: {
        default: response({
          oneOf: [
            {
              type: 'object',
              required: ['fields'],
              additionalProperties: false,
              properties: { fields: { type: 'object', minProperties: 1 } },
            },
            plain,
          ],
        }),
      },
    },
    { message: missing },
  ],
  [
    'OpenAPI 3.0 with nullable members',
    {
      openapi: '3.0.3',
      responses: {
        default: response({
          type: 'object',
          required: ['code', 'msg', 'trace'],
          additionalProperties: false,
          properties: {
            code: { type: 'integer' },
            msg: { type: 'string', nullable: true },
            trace: { type: 'string', nullable: true },
          },
        }),
      },
    },
    { code: 404, msg: missing, trace: null },
  ],
  ['no errors', {}, undefined],
  [
    'no errors, and problem details in spec/service.yaml',
    { settings: { mediaType: 'application/problem+json' }, errorFormat: problemDetails },
    undefined,
  ],
  [
    'no errors, and a schema in spec/service.yaml',
    {
      settings: { schema: '#/components/schemas/Failure' },
      components: { schemas: { Failure: nested } },
    },
    undefined,
  ],
  [
    'headers that the service does not have',
    {
      responses: {
        default: {
          ...response(plain),
          headers: {
            'X-Trace-Id': { required: true, schema: text },
            'X-RateLimit-Limit': { schema: text },
          },
        },
      },
    },
    { message: missing },
  ],
]

const addRoom = '/v1/rooms'

/** Starts the service on an API whose only declared error is a default. */
async function startWithDefault(declared: object): Promise<TestService> {
  return startServiceOf(await createErrorApi({ responses: { default: declared } }))
}

/** Sends the requests that provoke the errors of the service itself; its responses are judged by the description. */
async function provoke(service: TestService): Promise<void> {
  const { send, issue, origin } = service
  const json = { 'Content-Type': 'application/json' }
  const large = JSON.stringify({ name: 'a'.padEnd(300) })
  const requests: readonly (readonly [number, string, Parameters<typeof send>[1]?])[] = [
    [201, addRoom, { json: { name: 'a' } }],
    [400, addRoom, { json: { name: 1 } }],
    [400, addRoom, { json: '{' }],
    [400, '/v1/rooms/a?x=1'],
    [401, '/v1/rooms/a', { key: '' }],
    [401, '/v1/rooms/a', { key: 'no' }],
    [404, '/v1/nothing'],
    [405, '/v1/rooms/a', { method: 'DELETE' }],
    [406, '/v1/rooms/a', { headers: { Accept: 'text/csv' } }],
    [413, addRoom, { json: large }],
    [415, addRoom, { method: 'POST', body: 'a', headers: { 'Content-Type': 'text/csv' } }],
    [
      415,
      addRoom,
      { method: 'POST', body: '{}', headers: { ...json, 'Content-Encoding': 'zstd' } },
    ],
    [500, '/v1/rooms/broken'],
    [503, '/v1/rooms/away'],
  ]
  for (const [status, path, init] of requests) {
    const sent = await send(path, init)
    expect(sent.status, `${path} ${JSON.stringify(init)} ${await sent.text()}`).toBe(status)
  }

  const { key } = await issue({ perMinute: 1, perDay: 1 })
  await send('/v1/rooms/a', { key })
  const limited = await send('/v1/rooms/a', { key })
  expect([limited.status, limited.headers.get('Retry-After')]).toEqual([
    429,
    expect.stringMatching(/^\d+$/),
  ])
  const malformed = await sendBytes(origin, 'GET /v1/rooms/a HTTP/1.1\r\n\r\n')
  expect(malformed.status).toBe(400)
}

test.for(formats)(
  'errors of the service itself are as declared: %s',
  async ([, described, body]) => {
    const service = await startServiceOf(await createErrorApi(described))
    await provoke(service)
    if (body !== undefined) {
      const sent = await service.send('/v1/rooms/none')
      expect([sent.status, await sent.json()]).toEqual([404, body])
    }
  },
)

test.for<readonly [string, object, unknown]>([
  [
    'items of JSON:API',
    jsonApi,
    {
      errors: [
        {
          status: '400',
          title: 'Bad Request',
          detail: 'must have at most 20 characters',
          source: { pointer: '/body/name' },
        },
      ],
    },
  ],
  [
    'texts',
    {
      type: 'object',
      required: ['message'],
      properties: { message: text, errors: { type: 'array', items: text } },
      additionalProperties: false,
    },
    {
      message: 'The request breaks the contract in 1 place.',
      errors: ['/body/name must have at most 20 characters'],
    },
  ],
  [
    'items with places of their own form',
    {
      type: 'object',
      required: ['detail'],
      additionalProperties: false,
      properties: {
        detail: {
          type: 'array',
          items: {
            type: 'object',
            required: ['loc', 'msg', 'type'],
            properties: { loc: { type: 'array', items: text }, msg: text, type: text },
          },
        },
      },
    },
    {
      detail: [
        {
          loc: ['body', 'name'],
          msg: 'must have at most 20 characters',
          type: 'invalid_request',
        },
      ],
    },
  ],
])('violations are listed as the description says: %s', async ([, schema, body]) => {
  const { send } = await startWithDefault(response(schema))
  const sent = await send(addRoom, { json: { name: 'a'.repeat(21) } })
  expect([sent.status, await sent.json()]).toEqual([400, body])
})

test('errors that are declared as text, without content, or in XML alone are sent so', async () => {
  const { send } = await startWithDefault(response(text, 'text/plain'))
  const sent = await send('/v1/rooms/none')
  expect(sent.headers.get('Content-Type')).toBe('text/plain; charset=utf-8')
  expect(await sent.text()).toBe(missing)

  for (const declared of [{ description: 'An error.' }, response({}, 'application/xml')]) {
    const { origin, apiKey } = await startServiceOf(
      await createErrorApi({ responses: { 404: declared }, ofCreate: {} }),
    )
    // Without the judge: an error in XML is not met.
    const headers = { Authorization: `Bearer ${apiKey}` }
    const empty = await fetch(`${origin}/v1/rooms/none`, { headers })
    expect([empty.status, empty.headers.get('Content-Type')]).toEqual([404, null])
    expect(await empty.text()).toBe('')
  }
})

test('an optional header of an error that the service does not have is not made up', async () => {
  const headers = { 'X-Note': { schema: text }, 'X-Trace': { required: true, schema: text } }
  const { send } = await startWithDefault({ ...response(plain), headers })
  const sent = await send('/v1/rooms/none')
  expect(await sent.json()).toEqual({ message: missing })
  expect([sent.headers.has('x-trace'), sent.headers.has('x-note')]).toEqual([true, false])
})

test('the text of an error is escaped where it is declared as HTML, and not in other texts', async () => {
  const message = 'There is no <b>room</b> & no bed.'
  const escaped = 'There is no &lt;b&gt;room&lt;/b&gt; &amp; no bed.'
  for (const [mediaType, content] of [
    ['text/html', escaped],
    ['text/html; charset=utf-8', escaped],
    ['text/plain', message],
  ] as const) {
    const { send } = await startWithDefault(response(text, mediaType))
    const sent = await send('/v1/rooms/marked')
    const [type] = mediaType.split(';')
    const sentType = `${type}; charset=utf-8`
    expect.soft([sent.headers.get('Content-Type'), await sent.text()]).toEqual([sentType, content])
  }
})

test('each operation has errors in its own schema, and the start names those of another format', async () => {
  const api = await createErrorApi({
    responses: { default: response(plain) },
    ofCreate: { default: response(nested) },
  })
  const { send, logged } = await startServiceOf(api)
  const one = await send('/v1/rooms/none')
  expect(await one.json()).toEqual({ message: missing })
  const other = await send(addRoom, { json: {} })
  const body = await other.json()
  expect(body).toMatchObject({ error: { code: 'BAD_REQUEST' } })
  expect(logged).toMatchObject([
    {
      level: 'warn',
      count: 2,
      msg: 'error responses: sent as declared, not in the format',
    },
  ])
})

test('codes of handlers are sent as they are where the description allows them', async () => {
  const closed = { ...plain, required: ['code'], properties: { code: { enum: ['room_closed'] } } }
  const { send, requestLines } = await startServiceOf(
    await createErrorApi({ responses: { 409: response(closed) }, ofCreate: {} }),
  )
  const sent = await send('/v1/rooms/closed')
  expect([sent.status, await sent.json()]).toEqual([409, { code: 'room_closed' }])
  await expect.poll(() => requestLines.at(-1)).toMatchObject({ code: 'room_closed' })
})

test('a format that fails keeps the service from starting', async () => {
  const errorFormat = {
    mediaType: 'application/json',
    toBody: () => {
      throw new Error('No format.')
    },
  }
  const api = await createErrorApi({ errorFormat })
  await expect(startServiceOf(api)).rejects.toThrow('server/api/error-format.ts has failed')
})

test('check warns, with the line, of declared errors that are not in the format', async () => {
  const spec = await writeErrorSpec({ responses: { 404: response(plain) }, ofCreate: {} })
  const json = JSON.stringify(await bundleDescription(await openDescription(spec)))
  const { errors, warnings } = checkOwnResponses(spec, json, errorObject)
  expect(errors).toEqual([])
  expect(warnings).toEqual([
    expect.stringMatching(
      /openapi\.yaml:\d+:\d+ error-format 404 other to getRoom is sent as it is declared here, not in the format of server\/api\/error-format\.ts: /,
    ),
  ])
})
