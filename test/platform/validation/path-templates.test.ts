import { expect, test } from 'vitest'
import { readBundled } from '../../../server/description/description-reader.ts'
import { reasonUnserved } from '../../../server/description/unserved.ts'
import { startServiceOf } from '../../helpers/service.ts'
import { echo } from './support/echo-service.ts'
import { json } from './support/kinds-service.ts'
import { createSmallApi, type SmallOperation } from './support/small-api.ts'

const text = { type: 'string' }
const list = { type: 'array', items: text }

/** Path templates with the schemas of their parameters, what is sent, and the values. */
const rows = [
  ['/a/{x}.{y}', { x: text, y: text }, '/a/b.c.d', { x: 'b.c', y: 'd' }],
  ['/b/{x},{y}', { x: { type: 'integer' }, y: list }, '/b/1,2', { x: 1, y: ['2'] }],
  ['/c/pre-{x}-post', { x: list }, '/c/pre-a,b%2Cc-post', { x: ['a', 'b,c'] }],
  ['/d/{x}/{y}', { x: list, y: list }, '/d/a,b/c', { x: ['a', 'b'], y: ['c'] }],
  ['/e/{a-b.c}', { 'a-b.c': text }, '/e/1', { 'a-b.c': '1' }],
  ['/f/{a b}', { 'a b': list }, '/f/1,2', { 'a b': ['1', '2'] }],
  ['/g/{größe}', { größe: text }, '/g/%C3%A4', { größe: 'ä' }],
  ['/h/{constructor}', { constructor: text }, '/h/1', { constructor: '1' }],
  ['/i/{x}', { x: list }, '/i/%2F,%25', { x: ['/', '%'] }],
  ['/j({x})', { x: list }, '/j(a,b)', { x: ['a', 'b'] }],
] as const

test('paths have several parameters in a segment, names of any kind, and encoded separators', async () => {
  const operations = rows.map(([path, schemas]): SmallOperation => {
    const parameters = Object.entries(schemas).map(([name, schema]) => {
      return { name, in: 'path', required: true, schema }
    })
    return { method: 'get', path, parameters, response: json(true), handler: echo }
  })
  const { send, ask } = await startServiceOf(createSmallApi(operations, {}))
  for (const [path, , target, values] of rows) {
    const response = await send(`/v1${target}`)
    const body: { readonly path?: unknown } = await response.json()
    expect.soft([response.status, body.path], path).toEqual([200, values])
  }
  const message = 'must be percent-encoded UTF-8'
  const malformed = { status: 400, details: [{ path: '/path/x', message }] }
  expect(await ask('/v1/i/a,%ff')).toMatchObject(malformed)
})

test('an operation with parameters that have no meaning is not served, and the reason is given', () => {
  const reasonOf = (path: string, parameter: object) => {
    const responses = { 200: { description: 'a' } }
    const operation = { operationId: 'a', parameters: [parameter], responses }
    const document = { openapi: '3.1.0', info: {}, paths: { [path]: { get: operation } } }
    const { operations, documents } = readBundled(document)
    return operations.map((each) => reasonUnserved(each, documents))[0]
  }
  const object = { type: 'object' }
  for (const [reason, parameter] of [
    [
      'the service does not read an object in the style pipeDelimited with explode, as the query parameter a has',
      { in: 'query', style: 'pipeDelimited', explode: true, schema: object },
    ],
    [
      'the service does not read the style deepObject of a value that is no object, as the query parameter a has',
      { in: 'query', style: 'deepObject', schema: text },
    ],
    [
      'the service does not read the style matrix in the query, as the query parameter a has',
      { in: 'query', style: 'matrix', schema: text },
    ],
    [
      'the service does not read content of application/xml in a parameter, as the query parameter a has',
      { in: 'query', content: { 'application/xml': {} } },
    ],
    [undefined, { in: 'query', style: 'deepObject', explode: true, schema: object }],
    [undefined, { in: 'header', style: 'simple', explode: true, schema: object }],
  ] as const) {
    expect.soft(reasonOf('/a', { name: 'a', ...parameter })).toBe(reason)
  }
  const adjacent = 'nothing separates the parameters of its path'
  expect(reasonOf('/{a}{b}', { name: 'a', in: 'path', schema: text })).toBe(adjacent)
})

/** Descriptions of OpenAPI 3.0, as other companies write them. */
const descriptions = [
  {
    openapi: '3.0.3',
    path: '/items/{ids}',
    parameters: [{ name: 'ids', in: 'path', required: true, style: 'simple', schema: list }],
    sent: '/items/a,b%2Cc',
    values: { path: { ids: ['a', 'b,c'] } },
  },
  {
    openapi: '3.0.3',
    path: '/things',
    parameters: [
      {
        ...{ name: 'filter', in: 'query', style: 'deepObject', explode: true },
        schema: { type: 'object', properties: { gte: { type: 'integer' } } },
      },
      {
        ...{ name: 'q', in: 'query', required: true },
        content: { 'application/json': { schema: { type: 'object' } } },
      },
    ],
    sent: '/things?filter[gte]=5&q={"a":1}',
    values: { query: { filter: { gte: 5 }, q: { a: 1 } } },
  },
  {
    openapi: '3.0.1',
    path: '/points/{id}',
    parameters: [
      {
        ...{ name: 'id', in: 'path', required: true },
        schema: {
          anyOf: [
            { type: 'integer', minimum: 0 },
            { type: 'string', format: 'uuid' },
          ],
        },
      },
    ],
    sent: '/points/7',
    values: { path: { id: 7 } },
  },
  {
    openapi: '3.0.1',
    path: '/days',
    parameters: [{ name: 'day', in: 'query', schema: { type: 'integer', nullable: true } }],
    sent: '/days?day=',
    values: { query: { day: null } },
  },
]

test('descriptions of OpenAPI 3.0 have parameters of the same values', async () => {
  for (const { openapi, path, parameters, sent, values } of descriptions) {
    const operation = { method: 'get', path, parameters, response: json({}), handler: echo }
    const api = createSmallApi([operation], {}, '/v1', openapi)
    const { send } = await startServiceOf(api)
    const response = await send(`/v1${sent}`)
    expect.soft(response.status, path).toBe(200)
    expect.soft(await response.json(), path).toMatchObject(values)
  }
})

test('an enum without values rejects every value of its property, and no other response', async () => {
  const flags = { type: 'integer', enum: [] }
  const schema = { type: 'object', properties: { flags } }
  const parameters = [{ name: 'flags', in: 'query', schema: flags }]
  const operation = { method: 'get', path: '/a', parameters, response: json(schema) }
  const handler = () => ({ status: 200, body: {} })
  const { ask } = await startServiceOf(createSmallApi([{ ...operation, handler }], {}))
  expect(await ask('/v1/a')).toMatchObject({ status: 200 })
  expect(await ask('/v1/a?flags=1')).toMatchObject({ status: 400 })
})
