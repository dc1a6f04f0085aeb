import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { convertDescription } from '../../../scripts/init/convert.ts'
import { houseRules } from '../../../scripts/init/project.ts'
import { lintConverted } from '../../../scripts/init/rejected.ts'
import type { JsonObject } from '../../../scripts/pipeline/description.ts'
import { projectPath } from '../../../scripts/pipeline/project.ts'

const platform = parse(await readFile(projectPath('spec/openapi.yaml'), 'utf8'))

type Fragment = Readonly<Record<string, unknown>>

const ref = (name: string) => ({ $ref: `#/components/${name}` })
const json = (schema: unknown) => ({ content: { 'application/json': { schema } } })
const done = { description: 'Done.' }
const ok = (schema: Fragment = {}) => ({ 200: { ...done, ...json(schema) } })
const at = (path: string, method: string, operation: Fragment) => ({
  [path]: { [method]: { responses: ok(), ...operation } },
})
const get = (operation: Fragment = {}) => ({ paths: at('/a', 'get', operation) })
const post = (operation: Fragment) => ({ paths: at('/a', 'post', operation) })
const responses = (all: Fragment) => get({ responses: all })
const named = (A: Fragment) => ({
  ...responses(ok(ref('schemas/A'))),
  components: { schemas: { A } },
})

const text = { type: 'string' }
const forms = (b: Fragment, c: Fragment) => ({
  ...responses(ok(ref('schemas/A'))),
  components: {
    schemas: {
      A: {
        oneOf: [ref('schemas/B'), ref('schemas/C')],
        discriminator: {
          propertyName: 'kind',
          mapping: { b: '#/components/schemas/B', c: '#/components/schemas/C' },
        },
      },
      B: { type: 'object', required: ['kind'], properties: { kind: b } },
      C: { type: 'object', required: ['kind'], properties: { kind: c } },
    },
  },
})
const int64 = { type: 'integer', format: 'int64' }
const inPath = { name: 'b', in: 'path', required: true, schema: text }
const key = { name: 'idempotency-key', in: 'header', schema: text }
const query = (name: string, schema: unknown) => ({ name, in: 'query', schema })
const list = { type: 'array', items: text }
const none = { type: 'null' }
const exactly = (schema: Fragment) => expect.toSatisfy((found) => isDeepStrictEqual(found, schema))
const codes = (...all: readonly string[]) =>
  json({ allOf: [ref('schemas/Error'), { properties: { code: { enum: all } } }] })
const self = { url: '/v1', description: 'The service that serves this description' }
/** Schemas by what is converted: the version of OpenAPI, before and after. */
const schemas: Readonly<Record<string, readonly [version: string, Fragment, Fragment]>> = {
  nullable: ['3.0.3', { ...text, nullable: true }, { type: ['string', 'null'] }],
  'an enum with null that is nullable': [
    '3.0.3',
    { ...text, nullable: true, enum: ['a', null] },
    { type: ['string', 'null'], enum: ['a', null] },
  ],
  'a nullable reference': [
    '3.0.3',
    { type: 'object', properties: { b: { ...ref('schemas/A'), nullable: true } } },
    { type: 'object', properties: { b: { anyOf: [ref('schemas/A'), { type: 'null' }] } } },
  ],
  'an exclusive limit': [
    '3.0.3',
    { type: 'number', minimum: 1, exclusiveMinimum: true },
    { type: 'number', exclusiveMinimum: 1 },
  ],
  'an int64': [
    '3.1.0',
    { ...int64, exclusiveMinimum: 0 },
    { ...int64, minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
  ],
  'an integer without limits': [
    '3.1.0',
    { type: ['integer', 'null'], maximum: 1e20 },
    {
      type: ['integer', 'null'],
      minimum: Number.MIN_SAFE_INTEGER,
      maximum: Number.MAX_SAFE_INTEGER,
    },
  ],
  'a slow pattern': ['3.1.0', { ...text, pattern: '^(a+)+$' }, text],
  'an example that is not valid': ['3.1.0', { ...text, examples: [1] }, text],
}

/** A description before and after, and messages about what was changed. */
type Row = readonly [before: Fragment, after: Fragment, ...messages: string[]]

/** Other parts of descriptions by what is converted. */
const parts: Readonly<Record<string, Row>> = {
  'several servers': [
    {
      ...get(),
      servers: [
        { url: 'https://a.test/{b}+/', variables: { b: { default: 'b' } } },
        { url: 'https://{c}.test', variables: { c: { default: 'c' } } },
      ],
    },
    { servers: [{ ...self, url: '/b-' }] },
    'server replaced by /b-, on any host; add the hosts of your service',
  ],
  'no base path': [{ ...get(), servers: [{ url: 'http://localhost:8080/' }] }, { servers: [self] }],
  'a version': [{ ...get(), info: { title: 'A', version: 'v2' } }, { info: { version: '2.0.0' } }],
  'an operation without a name': [
    { paths: at('/a/{b}', 'get', { parameters: [inPath] }) },
    { paths: at('/a/{b}', 'get', { operationId: 'getAByB' }) },
  ],
  'a name that the client has': [get({ operationId: 'then' }), get({ operationId: 'getA' })],
  'a name in another case': [get({ operationId: 'API_b-c' }), get({ operationId: 'apiBC' })],
  security: [
    {
      paths: { ...at('/a', 'get', { security: [{ basic: [] }] }), ...at('/b', 'get', {}) },
      components: { securitySchemes: { basic: { type: 'http', scheme: 'basic' } } },
    },
    { security: [{ apiKey: [] }], paths: at('/b', 'get', { security: [] }) },
  ],
  'a body of several media types': [
    post({ requestBody: { content: { 'text/plain': {}, 'application/json; a=b': {} } } }),
    post({ requestBody: { content: { 'application/json': {} }, 'x-max-bytes': 100_000 } }),
    'text/plain of requests removed: the service reads JSON',
    'x-max-bytes: 100000 added, the size of a body that is accepted',
  ],
  'another type of JSON': [
    responses({
      200: {
        ...done,
        content: { 'application/hal+json; a=b': { schema: text }, 'text/plain': {} },
      },
    }),
    responses(ok(text)),
    'application/hal+json of responses sent as application/json',
    'text/plain of responses removed: the service sends application/json',
  ],
  'the default as the success': [responses({ default: ok()[200] }), responses(ok())],
  errors: [
    responses({ ...ok(), 302: done, 400: done, 403: done, 404: done, '5XX': done }),
    {
      ...responses({ 403: ref('responses/Forbidden'), 404: ref('responses/NotFound') }),
      components: { schemas: { ErrorCode: { enum: expect.arrayContaining(['forbidden']) } } },
    },
  ],
  'errors that may also be those of an Idempotency-Key': [
    post({ responses: { ...ok(), 409: done, 422: done } }),
    {
      ...post({
        responses: {
          409: ref('responses/Conflict'),
          422: ref('responses/UnprocessableEntity'),
        },
      }),
      components: {
        responses: {
          Conflict: codes('conflict', 'idempotency_in_progress'),
          UnprocessableEntity: codes('unprocessable_entity', 'idempotency_key_reused'),
        },
      },
    },
  ],
  'errors by default where a path has a parameter': [
    {
      paths: at('/a/{b}', 'delete', {
        parameters: [inPath],
        responses: { ...ok(), default: done },
      }),
    },
    { paths: at('/a/{b}', 'delete', { responses: { 404: ref('responses/NotFound') } }) },
  ],
  'HEAD beside GET': [
    { paths: { '/a': { get: { responses: ok() }, head: { responses: ok() } } } },
    { paths: { '/a': expect.not.objectContaining({ head: expect.anything() }) } },
  ],
  'forms that a discriminator maps': [forms(text, text), forms({ const: 'b' }, { const: 'c' })],
  'a pattern that is not one, in the schema of an example': [
    responses({
      200: {
        ...done,
        content: {
          'application/json': { schema: { ...text, pattern: '^[\\w-\\.]+$' }, example: 'a' },
        },
      },
    }),
    responses({ 200: { content: { 'application/json': { schema: text, example: 'a' } } } }),
  ],
  'forms that extend a base, in the schema of an example': [
    {
      ...responses({
        200: {
          ...done,
          content: { 'application/json': { schema: ref('schemas/A'), example: { kind: 'B' } } },
        },
      }),
      components: {
        schemas: {
          A: { oneOf: [ref('schemas/B')], discriminator: { propertyName: 'kind' } },
          B: { allOf: [ref('schemas/Base')] },
          Base: { type: 'object', required: ['kind'], properties: { kind: text } },
        },
      },
    },
    {
      ...responses({ 200: { content: { 'application/json': { schema: ref('schemas/A') } } } }),
      components: { schemas: { B: { properties: { kind: { const: 'B' } }, required: ['kind'] } } },
    },
  ],
  'a parameter that the service does not read': [
    get({ parameters: [{ name: 'b', in: 'header', schema: { type: 'object' } }] }),
    get({ parameters: [] }),
  ],
  'parameters that may be null': [
    {
      ...get({
        parameters: [
          query('a', { ...ref('schemas/A'), default: null }),
          query('b', { anyOf: [list, none], title: 'B' }),
          query('c', { oneOf: [text, { const: 'c' }, none] }),
          query('d', { type: 'array', items: { type: ['string', 'null'] } }),
        ],
      }),
      components: { schemas: { A: { type: ['string', 'null'], enum: ['a', null] } } },
    },
    get({
      parameters: [
        query('a', exactly({ type: 'string', enum: ['a'] })),
        query('b', exactly({ ...list, title: 'B' })),
        query('c', exactly({ oneOf: [text, { const: 'c' }] })),
      ],
    }),
    'null removed from query parameter a: no text is null',
    'query parameter d removed: the service does not read items of several types',
  ],
  'an Idempotency-Key without an API key': [
    { ...get({ parameters: [key] }), security: [] },
    get({ security: [], parameters: [] }),
  ],
  'a name that the platform has': [
    { ...responses(ok(ref('schemas/Error'))), components: { schemas: { Error: text } } },
    { ...responses(ok(ref('schemas/ApiError'))), components: { schemas: { ApiError: text } } },
  ],
  'references to a part of a component': [
    {
      ...get({
        parameters: [query('b', ref('schemas/Error/properties/b'))],
        responses: ok(ref('schemas/Error/properties/b')),
      }),
      components: { schemas: { Error: { properties: { b: text } } } },
    },
    {
      ...get({
        // express-openapi-validator does not follow a reference here.
        parameters: [query('b', exactly(text))],
        responses: ok(ref('schemas/ApiError/properties/b')),
      }),
      components: { schemas: { ApiError: { properties: { b: text } } } },
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
    responses({ 200: { content: { 'image/png': {} } } }),
    /does not send image\/png, as its 200 has/,
  ],
  'a redirect': [responses({ 302: done }), /has no response of 2xx/],
  TRACE: [{ paths: at('/a', 'trace', {}) }, /proxies and browsers reject TRACE/],
  'a reference to a part of an operation': [
    get({ responses: { ...ok(), 404: { $ref: '#/paths/~1a/get/responses/200' } } }),
    /move .* into components, .*\n#\/paths\/~1a\/get\/responses\/200$/,
  ],
  'webhooks alone': [{ webhooks: get().paths }, /no operation that the service can serve/],
}

const convert = (openapi: string, fragment: Fragment) =>
  convertDescription({ openapi, info: { title: 'A', version: '1.0.0' }, ...fragment }, platform)

/** Returns what the linter finds in a description that must be changed. */
async function lint(description: JsonObject) {
  const problems = await lintConverted(description)
  return problems.filter(({ rule }) => !houseRules.has(rule))
}

test.for(Object.entries(schemas))('%s', async ([, [version, before, after]]) => {
  const { description, changes } = await convert(version, named(before))
  expect(description).toHaveProperty('components.schemas.A', after)
  expect(changes).not.toEqual([])
  expect(await lint(description)).toEqual([])
})

test.for(Object.entries(parts))('%s', async ([, [before, after, ...messages]]) => {
  const { description, changes } = await convert('3.1.0', before)
  expect(description).toMatchObject(after)
  expect(changes).not.toEqual([])
  expect(changes.map(({ what }) => what)).toEqual(expect.arrayContaining(messages))
  expect(await lint(description)).toEqual([])
})

test.for(Object.entries(rejected))('%s is rejected', async ([, [fragment, reason]]) => {
  await expect(convert('3.1.0', fragment)).rejects.toThrow(reason)
})

test('the same change in many places is listed once', async () => {
  const paths = Object.fromEntries(
    ['a', 'b', 'c', 'd'].map((name) => [`/${name}`, { get: { responses: { 204: {} } } }]),
  )
  const { changes } = await convert('3.1.0', { paths })
  const what = 'operationId added, from the method and the path'
  expect(changes).toContainEqual({ where: 'GET /a and 3 other places', what })
})

test('path parameters that do not match their path are errors of the linter', async () => {
  const parameters = [{ ...inPath, name: 'proxy+' }]
  const { description } = await convert('3.1.0', {
    paths: { ...at('/a/{b}', 'get', {}), ...at('/c/{proxy+}', 'get', { parameters }) },
  })
  const rule = 'path-parameters-defined'
  expect(await lint(description)).toMatchObject([
    { rule, message: expect.stringContaining('{b}'), pointer: '#/paths/~1a~1{b}/get/parameters' },
    { rule, message: expect.stringContaining('proxy+') },
  ])
})

test('a public description has nothing of the API that is here', async () => {
  const museum = parse(await readFile(join(import.meta.dirname, 'museum.yaml'), 'utf8'))
  const { description } = await convertDescription(museum, platform)
  expect(JSON.stringify(description['components'])).not.toMatch(/animal|\bpets?\b|category/i)
  expect(await lint(description)).toEqual([])
})
