import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { convertDescription } from '../../../scripts/init/convert.ts'
import { printHandlers } from '../../../scripts/init/files.ts'
import { houseRules } from '../../../scripts/init/project.ts'
import { lintConverted } from '../../../scripts/init/rejected.ts'
import type { JsonObject } from '../../../scripts/pipeline/description.ts'
import { operationsOf } from '../../../scripts/pipeline/operation-entries.ts'
import { projectPath } from '../../../scripts/pipeline/project.ts'
import { createProjectCopy, runIn } from '../../helpers/project-copy.ts'

const platform = parse(await readFile(projectPath('spec/openapi.yaml'), 'utf8'))

const biome = 'node_modules/@biomejs/biome/bin/biome'

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
const key = { name: 'idempotency-key', in: 'header', schema: text }
const query = (name: string, schema: Fragment = {}) => ({ name, in: 'query', schema })
const list = { type: 'array', items: text }
const none = { type: 'null' }

/** Schemas of parameters before, and without null. */
const nullable: readonly (readonly [Fragment, Fragment])[] = [
  [{ type: ['array', 'null'], items: { type: ['string', 'null'] } }, list],
  [
    { anyOf: [list, none], title: 'B', default: null },
    { ...list, title: 'B' },
  ],
  [{ oneOf: [text, ref('schemas/Null')] }, text],
  [{ anyOf: [text, { const: 'b' }, none] }, { anyOf: [text, { const: 'b' }] }],
  [
    { ...ref('schemas/A'), default: 'a' },
    { ...text, default: 'a' },
  ],
  [
    { type: ['string', 'null'], enum: ['a', null] },
    { ...text, enum: ['a'] },
  ],
]
const exactly = (schema: Fragment) => expect.toSatisfy((found) => isDeepStrictEqual(found, schema))
const self = { url: '/v1', description: 'The service that serves this description' }

/** Schemas by what is converted: of which version, before and after. */
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
  int64: [
    '3.1.0',
    { ...int64, exclusiveMinimum: 0 },
    { ...int64, minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
  ],
  'an integer without limits': [
    '3.1.0',
    { type: ['integer', 'null'], exclusiveMinimum: 0 },
    { type: ['integer', 'null'], exclusiveMinimum: 0, maximum: Number.MAX_SAFE_INTEGER },
  ],
  'a slow pattern': ['3.1.0', { ...text, pattern: '^(a+)+$' }, text],
  'an example that is not valid': ['3.1.0', { ...text, examples: [1] }, text],
}

/** Other parts of descriptions by what is converted: before and after. */
const parts: Readonly<Record<string, readonly [Fragment, Fragment]>> = {
  'base paths': [
    {
      ...get(),
      servers: [
        { url: 'https://a.test/{b}/', variables: { b: { default: 'b' } } },
        { url: 'https://{c}.test', variables: { c: { default: 'c' } } },
      ],
    },
    {
      servers: [
        { url: 'https://a.test/b' },
        { url: 'https://{c}.test/b', variables: { c: { default: 'c' } } },
        { ...self, url: '/b' },
      ],
    },
  ],
  'no base path': [{ ...get(), servers: [{ url: 'http://localhost:8080/' }] }, { servers: [self] }],
  'a version': [{ ...get(), info: { title: 'A', version: 'v2' } }, { info: { version: '2.0.0' } }],
  'an operation without a name': [
    { paths: at('/a/{b}', 'get', {}) },
    { paths: at('/a/{b}', 'get', { operationId: 'getAByB', parameters: [{ name: 'b' }] }) },
  ],
  'a name that JavaScript reserves': [get({ operationId: 'delete' }), get({ operationId: 'getA' })],
  'a name that the client has': [get({ operationId: 'then' }), get({ operationId: 'getA' })],
  'a name in another case': [get({ operationId: 'API_b-c' }), get({ operationId: 'apiBC' })],
  'a tag that is not declared': [get({ tags: ['a'] }), { tags: [{ name: 'a' }] }],
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
  ],
  'another type of JSON': [
    responses({ 200: { ...done, content: { 'application/hal+json': { schema: text } } } }),
    responses(ok(text)),
  ],
  'the default as the success': [responses({ default: ok()[200] }), responses(ok())],
  errors: [
    responses({ ...ok(), 302: done, 400: done, 403: done, 404: done, '5XX': done }),
    {
      ...responses({ 403: ref('responses/Forbidden'), 404: ref('responses/NotFound') }),
      components: { schemas: { ErrorCode: { enum: expect.arrayContaining(['forbidden']) } } },
    },
  ],
  'a conflict of a POST': [
    post({ responses: { ...ok(), 409: done, 422: done } }),
    post({
      responses: {
        409: ref('responses/ConflictOrIdempotency'),
        422: ref('responses/UnprocessableEntityOrIdempotency'),
      },
    }),
  ],
  'errors by default where a path has a parameter': [
    { paths: at('/a/{b}', 'delete', { responses: { ...ok(), default: done } }) },
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
      ...get({ parameters: nullable.map(([schema], at) => query(`q${at}`, schema)) }),
      components: { schemas: { A: { type: ['string', 'null'] }, Null: { enum: [null] } } },
    },
    get({
      parameters: nullable.map(([, schema], at) => ({
        ...query(`q${at}`),
        schema: exactly(schema),
      })),
    }),
  ],
  'names of path parameters that a path cannot have': [
    {
      paths: {
        '/b/{proxy+}': {
          parameters: [{ name: 'proxy+', in: 'path', required: true, schema: text }],
          get: { responses: ok() },
        },
        '/größe/{ß}/{id}': { get: { responses: ok() } },
      },
    },
    {
      paths: {
        '/b/{proxy}': { parameters: [{ name: 'proxy' }] },
        '/größe/{parameter}/{id}': {
          get: { parameters: [{ name: 'parameter' }, { name: 'id' }] },
        },
      },
    },
  ],
  'an Idempotency-Key without an API key': [
    { ...get({ parameters: [key] }), security: [] },
    get({ security: [], parameters: [] }),
  ],
  'a name that the platform has': [
    { ...responses(ok(ref('schemas/Error'))), components: { schemas: { Error: text } } },
    { ...responses(ok(ref('schemas/ApiError'))), components: { schemas: { ApiError: text } } },
  ],
  'a reference to a place': [
    {
      paths: {
        ...at('/a', 'post', { requestBody: json({ properties: { b: text } }) }),
        ...at('/b', 'post', {
          requestBody: json({
            $ref: '#/paths/~1a/post/requestBody/content/application~1json/schema/properties/b',
          }),
        }),
      },
    },
    { components: { schemas: { B: text } } },
  ],
}

/** Descriptions without an operation that can be served, and the reason. */
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

test.for(Object.entries(parts))('%s', async ([, [before, after]]) => {
  const { description, changes } = await convert('3.1.0', before)
  expect(description).toMatchObject(after)
  expect(changes).not.toEqual([])
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

test('what a body has instead is said', async () => {
  const hal = { 'application/hal+json; a=b': { schema: text }, 'text/plain': {} }
  const { changes } = await convert('3.1.0', {
    ...post({ requestBody: json(text), responses: { 200: { ...done, content: hal } } }),
  })
  expect(changes.map(({ what }) => what)).toEqual(
    expect.arrayContaining([
      'x-max-bytes: 100000 added, the size of a body that is accepted',
      'application/hal+json of responses sent as application/json',
      'text/plain of responses removed: the service sends application/json',
    ]),
  )
})

test('a base with a discriminator that is used without its forms is reported', async () => {
  const discriminator = { propertyName: 'kind' }
  const B = { type: 'object', required: ['kind'], properties: { kind: text }, discriminator }
  const components = {
    schemas: { B, C: { allOf: [ref('schemas/B'), { properties: { c: text } }] } },
  }
  const what = expect.stringContaining('enforces')
  const used = await convert('3.1.0', { ...responses(ok(ref('schemas/B'))), components })
  expect(used.changes).toContainEqual({ where: '#/components/schemas/B', what })
  const extended = await convert('3.1.0', { ...responses(ok(ref('schemas/C'))), components })
  expect(extended.changes).not.toContainEqual({ where: expect.anything(), what })
})

test('a public description has nothing of the API that is here', async () => {
  const museum = parse(await readFile(join(import.meta.dirname, 'museum.yaml'), 'utf8'))
  const { description } = await convertDescription(museum, platform)
  expect(JSON.stringify(description['components'])).not.toMatch(/animal|\bpets?\b|category/i)
  expect(await lint(description)).toEqual([])
})

test('the linter accepts the handlers of many operations, and any description in JSON', async () => {
  const copy = await createProjectCopy(['biome.json', '.gitignore', 'package.json'])
  const paths = Array.from({ length: 250 }, (_, count) => {
    return [`/a${count}`, { get: { operationId: `getA${count}` } }]
  })
  const description = { paths: Object.fromEntries(paths) }
  await mkdir(join(copy, 'server/pets'), { recursive: true })
  await writeFile(join(copy, 'server/pets/handlers.ts'), printHandlers(operationsOf(description)))
  await writeFile(join(copy, 'own.json'), `${JSON.stringify(description)}${' '.repeat(2 ** 20)}`)
  const { output, errorOutput } = await runIn(copy, biome, 'check')
  expect(output + errorOutput).toMatch(/^Checked \d+ files .* No fixes applied\.\n$/)
})
