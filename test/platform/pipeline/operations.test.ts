import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { compile } from '../../../scripts/pipeline/artifacts.ts'
import { readBasePath } from '../../../scripts/pipeline/base-path.ts'
import { printLiteral } from '../../../scripts/pipeline/literal.ts'
import { writeFolder } from '../../../scripts/pipeline/output-folder.ts'
import { createSharedFolder, removeFolder } from './support/workspace.ts'

let basePath: string
let operations: Record<string, Record<string, unknown>>

beforeAll(async () => {
  const spec = join(import.meta.dirname, '../../fixture-api/files/workshop.yaml')
  const folder = await createSharedFolder()
  await writeFolder(folder, (await compile(spec, 'minimal')).artifacts)
  ;({ basePath, operations } = await import(join(folder, 'operations.ts')))
  return () => removeFolder(folder)
})

test('every operation has a row, in the order of the description; webhooks and callbacks have none', () => {
  expect(Object.keys(operations)).toEqual([
    'searchTools',
    'addTool',
    'GET /tools/{toolId}',
    'replaceTool',
    'removeTool',
    'getManual',
  ])
})

test('the base path is that of the server, its variables filled in', () => {
  expect(basePath).toBe('/v2/api')
})

test('an operation without an operationId is found under its method and path', () => {
  const row = operations['GET /tools/{toolId}']
  expect(row).toMatchObject({ method: 'get', path: '/tools/{toolId}' })
  expect(row).not.toHaveProperty('operationId')
})

test('alternatives, combinations and the absence of security are kept apart', () => {
  expect(operations['searchTools']?.['security']).toEqual([
    { appKey: [], appId: [] },
    { tokens: ['tools:read'] },
  ])
  expect(operations['addTool']?.['security']).toEqual([
    { desk: [] },
    { tokens: ['tools:read', 'tools:write'], certificate: [] },
    { identity: [] },
  ])
  expect(operations['GET /tools/{toolId}']?.['security']).toEqual([])
  expect(operations['replaceTool']?.['security']).toEqual([{}, { session: [] }])
})

test('each parameter says how it is written; that of an operation overrides that of its path', () => {
  expect(operations['searchTools']?.['parameters']).toEqual({
    path: {},
    query: {
      order: { required: false, type: 'string', default: 'it\'s "new"' },
      tag: {
        required: false,
        type: 'array',
        items: 'string',
        style: 'form',
        explode: true,
        default: [],
      },
      ids: { required: false, type: 'array', items: 'integer', style: 'form', explode: false },
      sizes: {
        required: false,
        type: 'array',
        items: ['integer', 'null'],
        style: 'pipeDelimited',
        explode: false,
      },
      filter: { required: false, type: 'object', style: 'deepObject', explode: true },
      near: { required: false, mediaType: 'application/json' },
      limit: { required: false, type: 'integer', format: 'int32', default: 50 },
      anything: { required: false },
    },
    header: { 'X-Trace': { required: false, type: 'string', format: 'uuid' } },
    cookie: { 'session-hint': { required: false, type: ['string', 'null'] } },
  })
  expect(operations['getManual']?.['parameters']).toMatchObject({
    path: { toolId: { required: true, type: 'integer', format: 'int64', style: 'label' } },
  })
})

test('a body lists its media types, and is absent where there is none', () => {
  expect(operations['addTool']?.['requestBody']).toEqual({
    required: true,
    mediaTypes: ['application/json', 'multipart/form-data', 'application/octet-stream'],
  })
  expect(operations['replaceTool']?.['requestBody']).toEqual({
    required: false,
    mediaTypes: ['application/*'],
  })
  expect(operations['removeTool']).not.toHaveProperty('requestBody')
})

test('a deprecation says what the description says, and no more', () => {
  expect(operations['replaceTool']?.['deprecation']).toEqual({ sunset: '2031-01-31' })
  expect(operations['removeTool']?.['deprecation']).toEqual({})
  expect(operations['searchTools']).not.toHaveProperty('deprecation')
})

test.for([
  ['https://a.test/v1', '/v1'],
  ['https://a.test/v1/', '/v1'],
  ['https://a.test', ''],
  ['https://{host}/{version}?a=1#b', '/v3'],
  ['//a.test/b/c', '/b/c'],
  ['/v1', '/v1'],
  ['v1', '/v1'],
  ['/', ''],
  ['', ''],
] as const)('the server %s has the base path %s', ([url, path]) => {
  expect(readBasePath({ url, variables: { version: { default: 'v3' } } })).toBe(path)
})

test.for([
  [{ __proto__: null, 'a-b': 1, a1: [true, null] }, "{ 'a-b': 1, a1: [true, null] }"],
  [JSON.parse('{"__proto__":1}'), "{ ['__proto__']: 1 }"],
  ['\'"\\\n\u2028\ud800', `'\\'"\\\\\\n\u2028\\ud800'`],
] as const)('a literal of the table reads back as it was: %j', ([value, literal]) => {
  expect(printLiteral(value)).toBe(literal)
  expect(new Function(`return ${literal}`)()).toEqual(value)
})
