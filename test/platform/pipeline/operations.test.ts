import { stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { compile } from '../../../scripts/pipeline/artifacts.ts'
import { readBasePath } from '../../../scripts/pipeline/description.ts'
import { printLiteral } from '../../../scripts/pipeline/literal.ts'

const workshop = join(import.meta.dirname, '../../fixture-api/files/workshop.yaml')
const { artifacts } = await compile(workshop, 'minimal')
const source = stripTypeScriptTypes(artifacts.get('operations.ts') ?? '')
const table = `data:text/javascript,${encodeURIComponent(source)}`
type Rows = Readonly<Record<string, Readonly<Record<string, unknown>>>>
const { basePath, operations }: { basePath: string; operations: Rows } = await import(table)

test('every operation has a row, in the order of the description; webhooks and callbacks have none', () => {
  expect(basePath).toBe('/v2/api')
  expect(Object.keys(operations)).toEqual([
    ...['searchTools', 'addTool', 'GET /tools/{toolId}'],
    ...['replaceTool', 'removeTool', 'getManual'],
  ])
  expect(operations['GET /tools/{toolId}']).not.toHaveProperty('operationId')
  expect(operations['removeTool']).not.toHaveProperty('requestBody')
  expect(operations['searchTools']).not.toHaveProperty('deprecation')
})

test('a row has the security, the media types and the deprecation of the operation', () => {
  expect(operations).toMatchObject({
    searchTools: { security: [{ appKey: [], appId: [] }, { tokens: ['tools:read'] }] },
    addTool: {
      security: [
        { desk: [] },
        { tokens: ['tools:read', 'tools:write'], certificate: [] },
        { identity: [] },
      ],
      requestBody: {
        required: true,
        mediaTypes: ['application/json', 'multipart/form-data', 'application/octet-stream'],
      },
    },
    'GET /tools/{toolId}': { method: 'get', path: '/tools/{toolId}', security: [] },
    replaceTool: {
      security: [{}, { session: [] }],
      requestBody: { required: false, mediaTypes: ['application/*'] },
    },
  })
  expect(operations['replaceTool']?.['deprecation']).toEqual({ sunset: '2031-01-31' })
  expect(operations['removeTool']?.['deprecation']).toEqual({})
})

test('each parameter has its style and type; that of an operation overrides that of its path', () => {
  const optional = { required: false }
  const list = { ...optional, type: 'array' }
  expect(operations['searchTools']?.['parameters']).toEqual({
    path: {},
    query: {
      order: { ...optional, type: 'string', default: 'it\'s "new"' },
      tag: { ...list, items: 'string', style: 'form', explode: true, default: [] },
      ids: { ...list, items: 'integer', style: 'form', explode: false },
      sizes: { ...list, items: ['integer', 'null'], style: 'pipeDelimited', explode: false },
      filter: { ...optional, type: 'object', style: 'deepObject', explode: true },
      near: { ...optional, mediaType: 'application/json' },
      limit: { ...optional, type: 'integer', format: 'int32', default: 50 },
      anything: optional,
    },
    header: { 'X-Trace': { ...optional, type: 'string', format: 'uuid' } },
    cookie: { 'session-hint': { ...optional, type: ['string', 'null'] } },
  })
  expect(operations['getManual']?.['parameters']).toMatchObject({
    path: { toolId: { required: true, type: 'integer', format: 'int64', style: 'label' } },
  })
})

test.for([
  ['https://a.test/v1/', '/v1'],
  ['https://{host}/{version}?a=1#b', '/v3'],
  ['//a.test/b/c', '/b/c'],
  ['v1', '/v1'],
  ['', ''],
] as const)('the server %s has the base path %s', ([url, path]) => {
  expect(readBasePath({ url, variables: { version: { default: 'v3' } } })).toBe(path)
})

test('a literal reads back unchanged', () => {
  const value = JSON.parse(
    '{"__proto__":{"__proto__":"a"},"a-b":[true,null],"0":"\\\\\\"\\u2028\\ud800"}',
  )
  const literal = printLiteral(value)
  expect(literal).toMatch(/^ {2}\["__proto__"\]: /m)
  expect(new Function(`return ${literal}`)()).toEqual(value)
})
