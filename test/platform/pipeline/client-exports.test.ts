import { join } from 'node:path'
import { expect, test } from 'vitest'
import { compile } from '../../../scripts/pipeline/artifacts.ts'
import { projectPath } from '../../../scripts/pipeline/project.ts'
import { writeFiles } from '../../helpers/compiled-api.ts'

const text = { type: 'string' }
const json = (schema: object) => ({ 'application/json': { schema } })
const ofJson = (schema: object) => ({ description: 'JSON.', content: json(schema) })
const success = { 200: ofJson({ type: 'object' }) }
const errorObject = {
  type: 'object',
  required: ['code', 'message'],
  properties: { code: text, message: text },
}
const problem = { type: 'object', properties: { title: text, detail: text } }

/** Writes a description with one operation, whose parameters are in its path and its query. */
function write(operation: object, more: object = {}): string {
  const description = {
    openapi: '3.1.0',
    info: { title: 'Visits', version: '1.0.0' },
    security: [],
    paths: { '/visits': { get: { operationId: 'listVisits', responses: success, ...operation } } },
    ...more,
  }
  return join(writeFiles({ 'openapi.yaml': description }), 'openapi.yaml')
}

/** Returns what `calls.ts` of a description imports of the client. */
async function findImports(spec: string): Promise<readonly string[]> {
  const { artifacts } = await compile(spec, 'minimal')
  const imports = (artifacts.get('calls.ts') ?? '').matchAll(/^import \{ (.+) \} from '(.+)'$/gm)
  return Array.from(imports, ([, names, path]) => `${names} of ${path}`)
}

const inQuery = (schema: object, more: object = {}) => {
  return { parameters: [{ name: 'p', in: 'query', schema, ...more }] }
}
const styled = 'writeStyled of ../client/styled-parameters.ts'
const list = { type: 'array', items: text }

test.for<readonly [name: string, operation: object]>([
  ['no parameters', {}],
  ['a text', inQuery(text)],
  ['a number or a boolean', inQuery({ type: ['integer', 'boolean'] })],
  ['a list of texts', inQuery(list)],
  ['a text in a header', { parameters: [{ name: 'X-P', in: 'header', schema: text }] }],
  ['an Error object', { responses: { ...success, 404: ofJson(errorObject) } }],
  ['a status without content that says so', { responses: { 204: { description: 'None.' } } }],
])('a client needs no function of its own for %s', async ([, operation]) => {
  expect(await findImports(write(operation))).toEqual([])
})

test.for<readonly [name: string, operation: object]>([
  ['a list that is not exploded', inQuery(list, { explode: false })],
  ['a list of objects', inQuery({ type: 'array', items: { type: 'object' } })],
  ['a list of anything', inQuery({ type: 'array' })],
  ['an object', inQuery({ type: 'object' })],
  ['a value of any type', inQuery({})],
  ['null', inQuery({ type: ['string', 'null'] })],
  ['reserved characters', inQuery(text, { allowReserved: true })],
  ['JSON', { parameters: [{ name: 'p', in: 'query', content: json({}) }] }],
  ['a name that is encoded', inQuery(text, { name: 'p[a]' })],
  ['a list in a header', { parameters: [{ name: 'X-P', in: 'header', schema: list }] }],
])('a client writes parameters with a function of its own: %s', async ([, operation]) => {
  expect(await findImports(write(operation))).toEqual([styled])
})

test('a cookie is an option of its operation', async () => {
  const parameters = [{ name: 'p', in: 'cookie', schema: text }]
  const imports = ['cookieRules, writeStyled of ../client/styled-parameters.ts']
  expect(await findImports(write({ parameters }))).toEqual(imports)
})

test.for<readonly [name: string, imports: readonly string[]]>([
  ['a', []],
  ['.a', [styled]],
  [';a', [styled]],
  ['a*', [styled]],
])('openapi-fetch reads a style from some names in a path: %s', async ([name, imports]) => {
  const parameters = [{ name, in: 'path', required: true, schema: text }]
  const path = { get: { operationId: 'getVisit', parameters, responses: success } }
  const spec = write({}, { paths: { [`/visits/{${name}}`]: path } })
  expect(await findImports(spec)).toEqual(imports)
})

const linked = 'createLinkedList of ../client/link-pages.ts'
const ofAnyStyle = 'createAnyList of ../client/page-styles.ts'
const cursor = { name: 'after', in: 'query', schema: text }
const links = { Link: { schema: text } }
const page = { type: 'object', properties: { items: list, next: text, more: { type: 'boolean' } } }

test.for<readonly [name: string, pagination: object, schema: object, imports: readonly string[]]>([
  ['a link with a cursor', { style: 'link', items: '', cursorParam: 'after' }, list, [linked]],
  [
    'an envelope with a link',
    { style: 'link', items: '/items', cursorParam: 'after' },
    page,
    [ofAnyStyle],
  ],
  [
    'an envelope with a cursor',
    { style: 'cursor', items: '/items', cursorParam: 'after', nextCursor: '/next' },
    page,
    [ofAnyStyle],
  ],
  // Its links may name any parameter.
  ['a link without a cursor', { style: 'link', items: '' }, list, [ofAnyStyle, styled]],
])('a list imports what its pages need: %s', async ([, pagination, schema, imports]) => {
  const responses = { 200: { ...ofJson(schema), headers: links } }
  const operation = { parameters: [cursor], responses, 'x-redoclyPagination': pagination }
  expect(await findImports(write(operation))).toEqual(imports)
})

const declared = 'readDeclared of ../client/declared-responses.ts'
const anyError = 'readAnyError of ../client/error-formats.ts'

test.for<readonly [name: string, responses: object, imports: readonly string[]]>([
  ['a success without content', { 202: { description: 'Accepted.' } }, [declared]],
  ['a redirect', { ...success, 302: { description: 'Elsewhere.' } }, [declared]],
  ['problem details', { ...success, 404: ofJson(problem) }, [anyError]],
  ['an error of any schema', { ...success, default: ofJson({}) }, [anyError]],
  [
    'an error in text',
    { ...success, 400: { description: 'Text.', content: { 'text/plain': { schema: text } } } },
    [anyError],
  ],
])('responses import what reads them: %s', async ([, responses, imports]) => {
  expect(await findImports(write({ responses }))).toEqual(imports)
})

const headerReader = 'readHeaders of ../client/response-headers.ts'
const structureReader = 'readStructuredHeaders of ../client/structured-headers.ts'
const anyObject = { type: 'object' }

test.for<readonly [name: string, headers: object, imports: readonly string[]]>([
  ['a number', { 'X-Total': { schema: { type: 'integer' } } }, [headerReader]],
  ['a list', { 'X-Names': { schema: list } }, [headerReader]],
  ['an object', { 'X-Range': { schema: anyObject } }, [structureReader]],
  ['JSON', { 'X-Facets': { content: json(anyObject) } }, [structureReader]],
  ['nothing but what the platform sends', { 'x-request-id': { schema: text } }, []],
  ['nothing but what OpenAPI ignores', { 'Content-Type': { schema: text } }, []],
])('response headers import what reads them: %s', async ([, headers, imports]) => {
  const responses = { 200: { ...ofJson({ type: 'object' }), headers } }
  expect(await findImports(write({ responses }))).toEqual(imports)
})

const ofContent = (name: string, media: object = {}) => {
  return { responses: { 200: { description: 'Content.', content: { [name]: media } } } }
}
const whole = { type: 'object', properties: { data: text, id: text } }

test.for<readonly [name: string, media: object, imports: readonly string[]]>([
  ['text/csv', {}, ['readText of ../client/text-content.ts']],
  [
    'image/png',
    {},
    [
      'createDownload, readDownload of ../client/downloads.ts',
      'streamRules of ../client/item-stream.ts',
    ],
  ],
  [
    'text/event-stream',
    { 'x-item-schema': whole },
    [
      'createEventStream, eventRules of ../client/event-stream.ts',
      'readBody of ../client/item-stream.ts',
    ],
  ],
  [
    'application/jsonl',
    { 'x-item-schema': { type: 'object' } },
    [
      'readBody, streamRules of ../client/item-stream.ts',
      'createValueStream of ../client/value-stream.ts',
    ],
  ],
])('a response of %s imports what reads it', async ([name, media, imports]) => {
  expect(await findImports(write(ofContent(name, media)))).toEqual(imports)
})

test('JSON beside other media types imports what chooses and reads them', async () => {
  const content = { 'application/json': {}, 'text/csv': {}, 'image/png': {} }
  const responses = { 200: { description: 'Content.', content } }
  expect(await findImports(write({ responses }))).toEqual([
    'acceptRules, createAccepted, createText, readAccepted of ../client/accepted-content.ts',
    'createDownload of ../client/downloads.ts',
    'streamRules of ../client/item-stream.ts',
  ])
})

test('credentials import what sends them, those of one file together', async () => {
  const securitySchemes = {
    oauth: { type: 'oauth2', flows: {} },
    desk: { type: 'http', scheme: 'basic' },
    page: { type: 'apiKey', in: 'cookie', name: 'session' },
  }
  const security = [{ oauth: [] }, { desk: [] }]
  const spec = write({ security }, { components: { securitySchemes } })
  expect(await findImports(spec)).toEqual(['sendBasic, sendBearer of ../client/credentials.ts'])
})

test('the imports lead from the folder of the output to the client', async () => {
  const spec = write(inQuery({}))
  const { artifacts } = await compile(spec, 'minimal', projectPath('some/where/else'))
  expect(artifacts.get('calls.ts')).toContain("from '../../../client/styled-parameters.ts'")
})
