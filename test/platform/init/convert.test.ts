import { isDeepStrictEqual } from 'node:util'
import { expect, test } from 'vitest'
import { convertDescription } from '../../../scripts/init/convert.ts'
import { lintConverted } from '../../../scripts/init/rejected.ts'

type Fragment = Readonly<Record<string, unknown>>

const ref = (name: string) => ({ $ref: `#/components/${name}` })
const platformRef = (name: string) => ({ $ref: `platform.yaml#/components/${name}` })
const done = { description: 'Done.' }
const json = (schema: unknown = {}, beside: Fragment = {}) => ({
  'application/json': { schema, ...beside },
})
const ok = (content: Fragment = json()) => ({ 200: { ...done, content } })
/** A description with one operation. */
const post = (operation: Fragment = {}, path = '/a', method = 'post') => ({
  paths: { [path]: { [method]: { responses: ok(), ...operation } } },
})
/** A description that has schemas, and an operation that responds with the first one. */
const withSchemas = (schemas: Fragment) => ({
  ...post({ responses: ok(json(ref(`schemas/${Object.keys(schemas)[0]}`))) }),
  components: { schemas },
})

const text = { type: 'string' }
const none = { type: 'null' }
const list = { type: 'array', items: text }
const int64 = { type: 'integer', format: 'int64' }
const safe = { minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER }
const inPath = { parameters: [{ name: 'b', in: 'path', required: true, schema: text }] }
const key = { name: 'idempotency-key', in: 'header', schema: text }
const query = (name: string, schema: unknown) => ({ name, in: 'query', schema })
const forms = {
  oneOf: [ref('schemas/B'), ref('schemas/C')],
  discriminator: { propertyName: 'kind', mapping: { b: '#/components/schemas/B' } },
}
const kind = { type: 'object', required: ['kind'], properties: { kind: text } }
const exactly = (schema: Fragment) => expect.toSatisfy((found) => isDeepStrictEqual(found, schema))
const withCodes = (...codes: readonly string[]) => ({
  allOf: [platformRef('schemas/Error'), { properties: { code: { enum: codes } } }],
})
const self = { url: '/v1', description: 'The service that serves this description' }

/** Schemas of OpenAPI 3.0 by what is converted, before and after. */
const schemas: Readonly<Record<string, readonly [before: Fragment, after: Fragment]>> = {
  'an enum with null that is nullable': [
    { ...text, nullable: true, enum: ['a', null] },
    { type: ['string', 'null'], enum: ['a', null] },
  ],
  'a nullable reference': [
    { type: 'object', properties: { b: { ...ref('schemas/A'), nullable: true } } },
    { type: 'object', properties: { b: { anyOf: [ref('schemas/A'), none] } } },
  ],
  'an exclusive limit': [
    { type: 'number', minimum: 1, exclusiveMinimum: true },
    { type: 'number', exclusiveMinimum: 1 },
  ],
  'an int64 between fractions': [
    { ...int64, exclusiveMinimum: 0.5, exclusiveMaximum: 9.5 },
    { ...int64, minimum: 1, maximum: 9 },
  ],
  'an int64': [
    { ...int64, exclusiveMinimum: 0 },
    { ...int64, ...safe, minimum: 1 },
  ],
  'an integer without limits': [
    { type: ['integer', 'null'], maximum: 1e20 },
    { type: ['integer', 'null'], ...safe },
  ],
  'a slow pattern': [{ ...text, pattern: '^(a+)+$' }, text],
  'an example that is not valid': [{ ...text, examples: [1] }, text],
}

/** A description before and after, and messages about what was changed. */
type Row = readonly [before: Fragment, after: Fragment, ...messages: string[]]

/** Other parts of descriptions by what is converted. */
const parts: Readonly<Record<string, Row>> = {
  'several servers': [
    {
      ...post(),
      servers: [
        { url: 'https://a.test/{b}+/', variables: { b: { default: 'b' } } },
        { url: 'https://{c}.test', variables: { c: { default: 'c' } } },
      ],
    },
    { servers: [{ ...self, url: '/b-' }] },
    'server replaced by /b-, on any host; add the hosts of your service',
  ],
  'no base path': [
    { ...post(), servers: [{ url: 'http://localhost:8080/' }] },
    { servers: [self] },
  ],
  'a version': [{ ...post(), info: { title: 'A', version: 'v2' } }, { info: { version: '2.0.0' } }],
  'an operation without a name': [
    post(inPath, '/a/{b}'),
    post({ operationId: 'postAByB' }, '/a/{b}'),
  ],
  'a name that the client has': [post({ operationId: 'then' }), post({ operationId: 'postA' })],
  'a name in another case': [post({ operationId: 'API_b-c' }), post({ operationId: 'apiBC' })],
  'a body of several media types': [
    post({ requestBody: { content: { 'text/plain': {}, 'application/json; a=b': {} } } }),
    post({ requestBody: { content: { 'application/json': {} }, 'x-max-bytes': 100_000 } }),
    'text/plain of requests removed: the service reads JSON',
    'x-max-bytes: 100000 added, the size of a body that is accepted',
  ],
  'another type of JSON': [
    post({ responses: ok({ 'application/hal+json; a=b': { schema: text }, 'text/plain': {} }) }),
    post({ responses: ok(json(text)) }),
    'application/hal+json of responses sent as application/json',
    'text/plain of responses removed: the service sends application/json',
  ],
  'the default as the success': [post({ responses: { default: ok()[200] } }), post()],
  'errors, of which some may also be those of an Idempotency-Key': [
    post({
      responses: {
        ...{ ...ok(), 302: done, 400: done, 403: done, 404: done },
        ...{ 409: done, 422: done, '5XX': done },
      },
    }),
    {
      ...post({
        responses: { 403: ref('responses/Forbidden'), 404: platformRef('responses/NotFound') },
      }),
      components: {
        schemas: {
          ErrorCode: { enum: ['forbidden', 'conflict', 'unprocessable_entity'] },
          ConflictError: withCodes('conflict', 'idempotency_in_progress'),
          UnprocessableEntityError: withCodes('unprocessable_entity', 'idempotency_key_reused'),
        },
        responses: { Conflict: { content: json(ref('schemas/ConflictError')) } },
      },
    },
  ],
  'schemas that have the names of errors of the platform': [
    withSchemas({ ConflictError: { allOf: [ref('schemas/NotFoundError')] }, NotFoundError: text }),
    {
      components: {
        schemas: {
          ApiConflictError: { allOf: [ref('schemas/ApiNotFoundError')] },
          ApiNotFoundError: text,
        },
      },
    },
  ],
  'errors by default where a path has a parameter': [
    post({ ...inPath, responses: { ...ok(), default: done } }, '/a/{b}'),
    post({ responses: { 404: platformRef('responses/NotFound') } }, '/a/{b}'),
  ],
  'HEAD beside GET': [
    { paths: { '/a': { get: { responses: ok() }, head: { responses: ok() } } } },
    { paths: { '/a': expect.not.objectContaining({ head: expect.anything() }) } },
  ],
  'forms, of which one extends a base, that a discriminator chooses by mapped values or by names': [
    withSchemas({
      A: { ...forms, examples: [{ kind: 'b' }] },
      B: { allOf: [ref('schemas/Base')] },
      ...{ C: kind, Base: kind },
    }),
    withSchemas({
      A: { examples: [{ kind: 'b' }] },
      B: { properties: { kind: { const: 'b' } }, required: ['kind'] },
      C: { properties: { kind: { const: 'C' } } },
    }),
  ],
  'forms that declare their own values, one of them in a base': [
    withSchemas({
      A: { ...forms, discriminator: { propertyName: 'kind' } },
      B: { properties: { kind: { type: 'string', enum: ['plain'] } }, required: ['kind'] },
      C: { allOf: [ref('schemas/Base'), { required: ['kind'] }] },
      Base: { properties: { kind: { const: 'rich' } } },
    }),
    withSchemas({
      A: {},
      B: exactly({
        properties: { kind: { type: 'string', enum: ['plain'] } },
        required: ['kind'],
      }),
      C: { properties: { kind: { const: 'rich' } } },
    }),
  ],
  'forms, of which one extends the other: that one has no value of its own': [
    withSchemas({
      A: { ...forms, properties: { c: { allOf: [ref('schemas/C')] } } },
      B: kind,
      C: { allOf: [ref('schemas/B'), { required: ['kind'] }] },
    }),
    withSchemas({ A: {}, B: exactly(kind), C: { properties: { kind: { const: 'C' } } } }),
  ],
  'a pattern that is not one, in the schema of an example': [
    post({ responses: ok(json({ ...text, pattern: '^[\\w-\\.]+$' }, { example: 'a' })) }),
    post({ responses: ok(json(text, { example: 'a' })) }),
  ],
  'a parameter that the service does not read': [
    post({ parameters: [{ name: 'b', in: 'header', schema: { type: 'object' } }] }),
    post({ parameters: [] }),
  ],
  'parameters that may be null': [
    {
      ...post({
        parameters: [
          query('a', { ...ref('schemas/A'), default: null }),
          query('b', { anyOf: [list, none], title: 'B' }),
          query('c', { oneOf: [text, { const: 'c' }, none] }),
          query('d', { type: 'array', items: { type: ['string', 'null'] } }),
        ],
      }),
      components: { schemas: { A: { type: ['string', 'null'], enum: ['a', null] } } },
    },
    post({
      parameters: [
        query('a', exactly({ type: 'string', enum: ['a'] })),
        query('b', exactly({ ...list, title: 'B' })),
        query('c', exactly({ oneOf: [text, { const: 'c' }] })),
      ],
    }),
    'null removed from query parameter a: no text is null',
    'query parameter d removed: the service does not read items of several types',
  ],
  'an Idempotency-Key': [
    post({ parameters: [key] }),
    post({ parameters: [platformRef('parameters/IdempotencyKey')] }),
  ],
  'a name that the platform has': [withSchemas({ Error: text }), withSchemas({ ApiError: text })],
  'a reference to a part of a component that the platform has': [
    {
      ...post({ responses: ok(json(ref('schemas/Error/items'))) }),
      components: { schemas: { Error: list } },
    },
    {
      ...post({ responses: ok(json(ref('schemas/ApiError/items'))) }),
      components: { schemas: { ApiError: list } },
    },
  ],
}

/** Descriptions that cannot be converted, and the reason. */
const rejected: Readonly<Record<string, readonly [Fragment, RegExp]>> = {
  'an upload': [
    post({ requestBody: { content: { 'multipart/form-data': {} } } }),
    /does not read multipart\/form-data/,
  ],
  'an image': [
    post({ responses: ok({ 'image/png': {} }) }),
    /does not send image\/png, as its 200 has/,
  ],
  'a redirect': [post({ responses: { 302: done } }), /has no response of 2xx/],
  TRACE: [post({}, '/a', 'trace'), /proxies and browsers reject TRACE/],
  'a reference to a part of an operation': [
    post({ responses: { ...ok(), 404: { $ref: '#/paths/~1a/post/responses/200' } } }),
    /move .* into components, .*\n#\/paths\/~1a\/post\/responses\/200$/,
  ],
  'webhooks alone': [{ webhooks: post().paths }, /no operation that the service can serve/],
}

const convert = (fragment: Fragment) =>
  convertDescription({ openapi: '3.1.0', info: { title: 'A', version: '1.0.0' }, ...fragment })

/** Expects a description to be converted to one that the linter accepts. */
async function expectConverted([before, after, ...messages]: Row) {
  const { description, changes } = await convert(before)
  expect(description).toMatchObject(after)
  expect(changes).not.toEqual([])
  expect(changes.map(({ what }) => what)).toEqual(expect.arrayContaining(messages))
  const problems = await lintConverted(description)
  expect(problems.filter(({ severity }) => severity === 'error')).toEqual([])
}

test.for(Object.entries(schemas))('%s', async ([, [before, after]]) => {
  const given = { openapi: '3.0.3', ...withSchemas({ A: before }) }
  await expectConverted([
    given,
    { openapi: '3.1.0', components: { schemas: { A: exactly(after) } } },
  ])
})

test.for(Object.entries(parts))('%s', ([, row]) => expectConverted(row))

test.for(Object.entries(rejected))('%s is rejected', async ([, [fragment, reason]]) => {
  await expect(convert(fragment)).rejects.toThrow(reason)
})

test('security schemes, requirements and scopes stay as they are', async () => {
  const tokenUrl = 'https://identity.test/token'
  const scopes = { read: 'Read', write: 'Write' }
  const securitySchemes = {
    oauth: { type: 'oauth2', flows: { clientCredentials: { tokenUrl, scopes } } },
    key: { type: 'apiKey', in: 'cookie', name: 'session' },
    digest: { type: 'http', scheme: 'digest' },
  }
  const security = [{ oauth: ['read'] }]
  const own = [{ oauth: ['write'], key: [] }, {}]
  const given = { ...post({ security: own }), security, components: { securitySchemes } }

  const { description } = await convert(given)
  expect(description).toMatchObject({
    ...post({ security: own }),
    security,
    components: { securitySchemes },
  })
  const problems = await lintConverted(description)
  expect(problems.filter(({ severity }) => severity === 'error')).toEqual([])
})

test('a description without security stays without', async () => {
  const { description } = await convert(post())
  expect(description).not.toHaveProperty('security')
  expect(description).not.toHaveProperty('components.securitySchemes')
})

test('the same change in many places is listed once', async () => {
  const names = ['a', 'b', 'c', 'd']
  const { changes } = await convert({
    paths: Object.fromEntries(names.map((name) => [`/${name}`, post().paths['/a']])),
  })
  const what = 'operationId added, from the method and the path'
  expect(changes).toContainEqual({ where: 'POST /a and 3 other places', what })
})
