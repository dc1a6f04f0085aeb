import { join } from 'node:path'
import { expect, test } from 'vitest'
import { compile } from '../../../scripts/pipeline/artifacts.ts'
import { writeFiles } from '../../helpers/compiled-api.ts'

const query = (name: string, type: string) => ({ name, in: 'query', schema: { type } })
const page = {
  type: 'object',
  required: ['items'],
  properties: {
    items: { type: 'array', items: { $ref: '#/components/schemas/Visit' } },
    nextCursor: { type: ['string', 'null'] },
  },
}
const list = {
  operationId: 'listVisits',
  parameters: [query('cursor', 'string'), query('limit', 'integer')],
  responses: { 200: { description: 'A page.', content: { 'application/json': { schema: page } } } },
}
const visit = { type: 'object', properties: { id: { type: 'integer' } } }
const rule = {
  style: 'cursor',
  cursorParam: 'cursor',
  limitParam: 'limit',
  nextCursor: '/nextCursor',
  items: '/items',
}

/** Writes a description with a list, and its `service.yaml`. */
function write(operation: object, serviceFile = ''): string {
  const description = {
    openapi: '3.1.0',
    info: { title: 'Visits', version: '1.0.0' },
    paths: { '/visits': { get: { ...list, ...operation } } },
    components: { schemas: { Visit: visit } },
  }
  const files = { 'openapi.yaml': description, 'service.yaml': serviceFile }
  return join(writeFiles(files), 'openapi.yaml')
}

test.for<readonly [name: string, spec: () => string]>([
  ['the description', () => write({ 'x-redoclyPagination': rule })],
  [
    'service.yaml',
    () => write({}, JSON.stringify({ operations: { 'GET /visits': { pagination: rule } } })),
  ],
])('the client follows the pages of an envelope as %s says', async ([, toSpec]) => {
  const { artifacts } = await compile(toSpec(), 'minimal')
  const calls = artifacts.get('calls.ts') ?? ''
  expect(calls).toMatch(
    /"pages": \{\s+"style": "cursor",\s+"items": "\/items",\s+"parameter": "cursor",\s+"next": "\/nextCursor",\s+"createList": createAnyList\s+\}/,
  )
  expect(calls).toContain('Promise<Page<Visit, ')
  expect(calls).toContain('& { readonly body: ')
})

test.for<readonly [name: string, change: object, message: string]>([
  ['an unknown style', { style: 'pages' }, 'is one of cursor, offset, page, link, body-link'],
  ['an undeclared parameter', { cursorParam: 'after' }, 'no query parameter after for cursorParam'],
  ['a pointer to nothing', { items: '/data' }, 'items leads to /data, which the body'],
  ['items that are no array', { items: '/nextCursor' }, 'which is no array'],
  ['a pointer without a slash', { items: 'items' }, 'items is a JSON Pointer'],
  ['a link that is not declared', { style: 'link' }, 'has a Link header'],
  ['a style without its keys', { style: 'body-link' }, 'needs nextLink'],
])('%s of a pagination is rejected where it is written', async ([, change, message]) => {
  const pagination = { ...rule, ...change }
  const inDescription = compile(write({ 'x-redoclyPagination': pagination }), 'minimal')
  await expect(inDescription).rejects.toThrow(message)
  await expect(inDescription).rejects.toThrow(/openapi\.yaml:1:\d+ pagination /)

  const serviceFile = JSON.stringify({ operations: { 'GET /visits': { pagination } } })
  await expect(compile(write({}, serviceFile), 'minimal')).rejects.toThrow(/service\.yaml:1:\d+ /)
})

test.for(['Link', 'link'])('the header %s leads to the next page', async (name) => {
  const headers = { [name]: { schema: { type: 'string' } } }
  const responses = { 200: { ...list.responses[200], headers } }
  const spec = write({ responses, 'x-redoclyPagination': { style: 'link', items: '/items' } })
  const { artifacts } = await compile(spec, 'minimal')
  expect(artifacts.get('calls.ts')).toContain('"style": "link"')
})

test.for(['x-redoclyPagination', 'x-paginated-by'])(
  'pagination in service.yaml and as %s is rejected',
  async (key) => {
    const serviceFile = JSON.stringify({ operations: { 'GET /visits': { pagination: rule } } })
    const link = { Link: { schema: { type: 'string' } } }
    const [value, headers] = key === 'x-paginated-by' ? ['cursor', link] : [rule, {}]
    const responses = { 200: { ...list.responses[200], headers } }
    const spec = write({ responses, [key]: value }, serviceFile)
    const message = `pagination GET /visits has ${key} in the description, too (`
    await expect(compile(spec, 'minimal')).rejects.toThrow(message)
    await expect(compile(spec, 'minimal')).rejects.toThrow(
      /service\.yaml:1:\d+ pagination .*openapi\.yaml:1:\d+\); keep one of them\.$/,
    )
  },
)
