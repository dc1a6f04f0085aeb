import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, test } from 'vitest'
import { bundleDescription, openDescription } from '../../../scripts/pipeline/bundle.ts'
import { readBasePath, readOperations } from '../../../scripts/pipeline/operations.ts'
import type { Operation } from '../../../server/contract/operation.ts'
import { readBundled } from '../../../server/description/description-reader.ts'
import { createTools, type Tool } from '../../../server/mcp/tools.ts'
import type { Api } from '../../../server/served-api.ts'
import { connectAgent } from '../../helpers/agent.ts'
import { startFixtureService } from '../../helpers/fixture-service.ts'
import { project } from '../../helpers/program.ts'
import { startServiceOf } from '../../helpers/service.ts'
import { echo } from '../validation/support/echo-service.ts'
import { json } from '../validation/support/kinds-service.ts'
import { createSmallApi, type SmallOperation } from '../validation/support/small-api.ts'

/** Returns the tools of an API, by name. */
function toolsOf({ description, operations, basePath, settings }: Api): ReadonlyMap<string, Tool> {
  const contract = { description: readBundled(description), operations, basePath, settings }
  return new Map(createTools(contract).map((tool) => [tool.name, tool]))
}

/** Returns the schemas of the arguments of an operation, in an API of this one alone. */
function inputOf(operation: Partial<SmallOperation>, schemas: object = {}) {
  const usual = { method: 'post', path: '/a', response: json(true), handler: echo }
  const api = createSmallApi([{ ...usual, ...operation }], schemas)
  const tool = toolsOf(api).get('operation0')
  return tool?.definition.inputSchema
}

/** A parameter of a query unless it says something else. */
const parameter = (name: string, others: object = {}) => {
  return { name, in: 'query', schema: { type: 'string' }, ...others }
}

test('each operation is a tool, with its texts, its deprecation and what its method does', async () => {
  const { origin, apiKey: key } = await startFixtureService()
  const { client, tools } = await connectAgent({ origin, key })
  expect(client.getServerVersion()).toMatchObject({ name: 'Tool Library', version: '2.4.0' })
  expect(client.getInstructions()).toContain('A library of tools')

  const all = await tools()
  const hints = Array.from(all.values(), ({ name, annotations = {} }) => {
    const { readOnlyHint, destructiveHint, idempotentHint } = annotations
    return [name, readOnlyHint, destructiveHint, idempotentHint]
  })
  expect(hints).toEqual([
    ['listTools', true, false, true],
    // What a POST does, its method does not say.
    ['createTool', false, undefined, false],
    ['getTool', true, false, true],
    ['replaceTool', false, true, true],
    ['updateTool', false, true, false],
    ['deleteTool', false, true, true],
    ['getManual', true, false, true],
    ['getLoan', true, false, true],
    ['getOpeningHours', true, false, true],
  ])
  expect(all.get('createTool')).toMatchObject({
    title: 'Create a tool',
    description: expect.stringContaining('With an `Idempotency-Key` the request may be repeated.'),
  })
  expect(all.get('getManual')?.description).toContain(
    '**Deprecated since 20 November 2026.** It will be removed on **31 January 2031**. Use the tool getTool instead.',
  )
  expect(all.get('getLoan')?.inputSchema).toMatchObject({
    properties: { member: expect.anything(), number: expect.anything() },
    required: ['member', 'number'],
    additionalProperties: false,
  })
})

test('operations without JSON or text, and those that are not served, are no tools', () => {
  const bytes = { content: { 'image/png': {} } }
  const text = { content: { 'text/plain': { schema: { type: 'string' } } } }
  const events = { content: { 'text/event-stream': { schema: { type: 'string' } } } }
  const both = { content: { 'text/csv': {}, 'application/json': { schema: true } } }
  const form = { content: { 'multipart/form-data': { schema: { type: 'object' } } } }
  const operations: readonly (readonly [isTool: boolean, Partial<SmallOperation>])[] = [
    [true, { response: json(true) }],
    [true, { response: text }],
    [true, { response: both }],
    [true, { responses: { 204: {} } }],
    [true, { method: 'post', requestBody: both }],
    [true, { method: 'post', requestBody: text }],
    [false, { method: 'post', requestBody: { content: { 'text/*': {} } } }],
    [false, { response: bytes }],
    [false, { response: events }],
    [false, { method: 'post', requestBody: bytes }],
    [false, { method: 'post', requestBody: form }],
    [false, { method: 'trace' }],
  ]
  const described = operations.map(([, operation], index) => {
    return { method: 'get', path: `/o${index}`, handler: echo, response: json(true), ...operation }
  })
  const names = operations.flatMap(([isTool], index) => (isTool ? [`operation${index}`] : []))
  expect([...toolsOf(createSmallApi(described, {})).keys()]).toEqual(names)
})

test('the names of tools and arguments are those of the description, as far as agents can write them', () => {
  const long = 'x'.repeat(70)
  const input = inputOf({
    path: '/a/{id}',
    parameters: [
      parameter('id', { in: 'path', required: true }),
      parameter('id'),
      parameter('body'),
      parameter('filter[from]'),
      parameter('$top'),
      parameter('größe'),
      parameter('page_size'),
      parameter('page.size'),
      parameter('__proto__'),
      parameter(long),
      parameter(`${long}y`),
    ],
    requestBody: { required: true, ...json({ type: 'object' }) },
  })
  expect(Object.keys(input?.properties ?? {})).toEqual([
    ...['path_id', 'query_id', 'query_body', 'filter_from', 'top', 'gr_e'],
    ...['query_page_size', 'query_page_size_2', '__proto__'],
    ...[`query_${'x'.repeat(58)}`, `query_${'x'.repeat(56)}_2`],
    'body',
  ])
  expect(input?.required).toEqual(['path_id', 'body'])
})

test('operationIds that no tool can have become names that are like them', () => {
  const names = ['books.list', 'books_list', 'ünïcode', '日本', 'x'.repeat(80), 'a b']
  const operations = names.map((operationId, index): [string, Operation] => [
    operationId,
    {
      ...{ operationId, method: 'get', path: `/o${index}`, security: [] },
      parameters: { path: {}, query: {}, header: {}, cookie: {} },
    },
  ])
  const described = names.map((_, index) => {
    return { method: 'get', path: `/o${index}`, handler: echo, response: json(true) }
  })
  const api = { ...createSmallApi(described, {}), operations: Object.fromEntries(operations) }
  expect([...toolsOf(api).keys()]).toEqual([
    ...['books_list', 'books_list_2', 'n_code', 'operation', 'x'.repeat(64), 'a_b'],
  ])
})

test('an argument reaches its parameter, whatever both are called', async () => {
  const parameters = [
    parameter('id', { in: 'path', required: true }),
    parameter('id'),
    parameter('id', { in: 'header' }),
    parameter('filter', {
      style: 'deepObject',
      schema: { type: 'object', properties: { from: { type: 'integer' } } },
    }),
    parameter('where', { schema: undefined, ...json({ type: 'object' }) }),
    parameter('größe', { schema: { type: 'array', items: { type: 'integer' } } }),
  ]
  const operation = { method: 'get', path: '/a/{id}', parameters, response: json(true) }
  const api = createSmallApi([{ ...operation, handler: echo }], {})
  const { origin, apiKey: key } = await startServiceOf(api)
  const agent = await connectAgent({ origin, key })
  const sent = { path_id: 'a/b?c', query_id: 'd&e', header_id: 'f' }
  const others = { filter: { from: 1 }, where: { g: ['h'] }, gr_e: [1, 2] }
  expect(await agent.call('operation0', { ...sent, ...others })).toMatchObject({
    status: 200,
    body: {
      path: { id: 'a/b?c' },
      query: { id: 'd&e', filter: { from: 1 }, where: { g: ['h'] }, größe: [1, 2] },
      headers: { id: 'f' },
    },
  })
})

test('a body of text is an argument that is a string, and reaches the operation as it is', async () => {
  const handler = ({ body }: { readonly body?: unknown }) => ({ status: 200, body })
  const operation = { method: 'post', path: '/a', response: json(true), handler }
  const content = { 'text/csv': {}, 'text/plain': { schema: { type: 'string', maxLength: 9 } } }
  const requestBody = { required: true, content, description: 'Names.' }
  expect(inputOf({ requestBody })).toMatchObject({
    properties: { body: { type: 'string', description: 'Names.' } },
    required: ['body'],
  })

  const api = createSmallApi([{ ...operation, requestBody }], {})
  const { origin, apiKey: key } = await startServiceOf(api)
  const agent = await connectAgent({ origin, key })
  const sent = 'id,name\n1,"größe"\n'
  const called = await agent.call('operation0', { body: sent })
  expect(called).toEqual({ isError: false, status: 200, body: sent })
  expect(await agent.call('operation0', { body: { a: 1 } })).toEqual({
    isError: true,
    message: 'The argument body must be a string.',
  })
})

test('properties that are readOnly are no input, and references stay within the tool', () => {
  const schemas = {
    Base: {
      type: 'object',
      required: ['id', 'name'],
      properties: { id: { type: 'integer', readOnly: true }, name: { type: 'string' } },
    },
    Stamp: { type: 'string', readOnly: true },
    Tree: {
      allOf: [{ $ref: '#/components/schemas/Base' }],
      required: ['created'],
      properties: {
        created: { $ref: '#/components/schemas/Stamp' },
        children: { type: 'array', items: { $ref: '#/components/schemas/Tree' } },
      },
    },
  }
  const body = json({ $ref: '#/components/schemas/Tree' })
  const input = inputOf({ requestBody: { required: true, ...body } }, schemas)
  expect(JSON.stringify(input)).not.toMatch(/created|"id"|Stamp|#\/components/)
  const validate = new Ajv2020({ strict: false }).compile(input ?? false)
  expect(validate({ body: { name: 'a', children: [{ name: 'b' }] } })).toBe(true)
  expect(validate({ body: { name: 'a', children: [{}] } })).toBe(false)
})

test('the forms of a discriminator have its values', () => {
  const form = { type: 'object', properties: { size: { type: 'integer' } } }
  const schemas = {
    Saw: { ...form, required: ['kind'], properties: { kind: { type: 'string' } } },
    Drill: { ...form, required: ['kind', 'size'] },
    Device: {
      oneOf: [{ $ref: '#/components/schemas/Saw' }, { $ref: '#/components/schemas/Drill' }],
      discriminator: {
        propertyName: 'kind',
        mapping: { saw: '#/components/schemas/Saw', drill: 'Drill' },
      },
    },
  }
  const body = json({ $ref: '#/components/schemas/Device' })
  const input = inputOf({ requestBody: { required: true, ...body } }, schemas)
  expect(input?.$defs).toMatchObject({
    Device: {
      oneOf: [
        { $ref: '#/$defs/Saw', properties: { kind: { enum: ['saw'] } }, required: ['kind'] },
        { $ref: '#/$defs/Drill', properties: { kind: { enum: ['drill'] } }, required: ['kind'] },
      ],
    },
  })
  expect(JSON.stringify(input)).not.toContain('discriminator')
})

const descriptions = join(project, 'test/platform/any-contract/descriptions')

test.each(readdirSync(descriptions))(
  'the tools of the description %s have schemas that are JSON Schema',
  async (name) => {
    const [file = ''] = readdirSync(join(descriptions, name)).filter((each) =>
      /^openapi\./.test(each),
    )
    const opened = await openDescription(join(descriptions, name, file))
    const description: object = JSON.parse(JSON.stringify(await bundleDescription(opened)))
    const model = readBundled({ ...description })
    const operations: Readonly<Record<string, Operation>> = JSON.parse(
      JSON.stringify(readOperations(model, {})),
    )
    const basePath = readBasePath(model)
    const tools = createTools({ description: model, operations, basePath, settings: {} })
    const names = tools.map((tool) => tool.name)
    expect(new Set(names).size).toBe(names.length)
    for (const { definition } of tools) {
      expect(definition.name).toMatch(/^[A-Za-z0-9_-]{1,64}$/)
      const { inputSchema } = definition
      for (const argument of Object.keys(inputSchema.properties)) {
        expect(argument).toMatch(/^[A-Za-z0-9_-]{1,64}$/)
      }
      // It compiles no reference that leads out of the schema.
      const ajv = new Ajv2020({ strict: false, validateFormats: false })
      expect(() => ajv.compile(inputSchema), definition.name).not.toThrow()
    }
  },
)
