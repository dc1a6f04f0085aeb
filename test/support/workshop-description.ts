const fromService = {
  'X-Request-Id': { required: true, schema: { type: 'string' } },
  'Cache-Control': { schema: { const: 'no-store' } },
  'X-Content-Type-Options': { schema: { const: 'nosniff' } },
}

const errorBody = { type: 'object', required: ['code', 'message', 'status'] }
const error = {
  description: 'An error.',
  headers: { ...fromService, Allow: { schema: { type: 'string' } } },
  content: { 'application/json': { schema: errorBody } },
}
const text = { type: 'string' }

function operation(operationId: string, more: object, responses: object = {}) {
  return { operationId, ...more, responses: { ...responses, 400: error, 500: error } }
}

const ok = {
  200: {
    description: 'Fine.',
    headers: fromService,
    content: { 'application/json': { schema: {} } },
  },
}
const inPath = (name: string, schema: object) => ({ name, in: 'path', required: true, schema })
const tags = { name: 'tags', in: 'query', schema: { type: 'array', items: text, maxItems: 3 } }
const bench = { name: 'bench', in: 'cookie', schema: { type: 'integer', minimum: 1 } }
const strict = {
  description: 'Fine.',
  headers: { ...fromService, 'X-Count': { required: true, schema: { type: 'integer' } } },
  content: { 'application/json': { schema: { type: 'array', items: text } } },
}

/** A description that is not the animal store's. */
export const description = {
  openapi: '3.1.0',
  info: { title: 'Workshop', version: '1.0.0' },
  security: [{ badge: [] }],
  paths: {
    '/tools': { get: operation('listTools', { parameters: [tags, bench] }, { 200: strict }) },
    '/tools/all': {
      get: operation(
        'allTools',
        { security: [] },
        { ...ok, 204: { description: 'None.', headers: fromService } },
      ),
    },
    '/tools/{name}': { get: operation('getTool', { parameters: [inPath('name', text)] }, ok) },
    '/tools/{name}/parts/{part}.json': {
      get: operation(
        'getPart',
        { parameters: [inPath('name', text), inPath('part', { type: 'integer' })] },
        ok,
      ),
    },
  },
  'x-outside-operations': { 404: error, 405: error },
  components: { securitySchemes: { badge: { type: 'http', scheme: 'bearer' } } },
}

const none = { path: {}, query: {}, header: {}, cookie: {} }
const security = [{ badge: [] }]

/** The table of that description, as the pipeline would write it. */
export const operations = {
  listTools: {
    operationId: 'listTools',
    method: 'get',
    path: '/tools',
    security,
    parameters: {
      ...none,
      query: { tags: { required: false, type: 'array', items: 'string' } },
      cookie: { bench: { required: false, type: 'integer' } },
    },
  },
  allTools: {
    operationId: 'allTools',
    method: 'get',
    path: '/tools/all',
    security: [],
    parameters: none,
  },
  getTool: {
    operationId: 'getTool',
    method: 'get',
    path: '/tools/{name}',
    security,
    deprecation: {},
    parameters: { ...none, path: { name: { required: true, type: 'string' } } },
  },
  getPart: {
    operationId: 'getPart',
    method: 'get',
    path: '/tools/{name}/parts/{part}.json',
    security,
    parameters: {
      ...none,
      path: {
        name: { required: true, type: 'string' },
        part: { required: true, type: 'integer' },
      },
    },
  },
} as const
