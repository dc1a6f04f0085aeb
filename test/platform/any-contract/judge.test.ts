import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import express from 'express'
import { expect, test } from 'vitest'
import { listen } from '../../helpers/free-port.ts'
import { createTemporaryFolder } from '../../helpers/temporary-folder.ts'
import type { UncheckedJson } from '../../helpers/unchecked-json.ts'
import { Document } from './document.ts'
import type { JsonObject } from './json.ts'
import { judgeRequests } from './requests.ts'
import { listDifferences } from './same-meaning.ts'
import { listLosses } from './served-document.ts'

const failed = { $ref: '#/components/responses/Failed' }
const description = {
  openapi: '3.0.3',
  info: { title: 'Notes', version: '1.0.0' },
  servers: [{ url: 'https://notes.example/v1' }],
  security: [{ key: [] }],
  paths: {
    '/notes/{id}': {
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
      get: {
        operationId: 'getNote',
        parameters: [{ name: 'tags', in: 'query', schema: { type: 'array', items: {} } }],
        responses: {
          200: {
            description: 'A.',
            headers: { 'X-Total': { required: true, schema: { type: 'integer' } } },
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Note' } } },
            links: { Next: { operationId: 'getNote' } },
          },
          400: failed,
        },
      },
      put: {
        operationId: 'setNote',
        requestBody: {
          required: true,
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Note' } } },
        },
        responses: { 204: { description: 'A.' }, 400: failed },
      },
    },
  },
  components: {
    securitySchemes: { key: { type: 'http', scheme: 'bearer' } },
    responses: {
      Failed: {
        description: 'Failed.',
        content: {
          'application/problem+json': { schema: { $ref: '#/components/schemas/Failure' } },
        },
      },
    },
    schemas: {
      Note: {
        type: 'object',
        required: ['text'],
        properties: {
          text: { type: 'string', maxLength: 5, nullable: true },
          kind: { type: 'string', enum: ['a', 'b'] },
          password: { type: 'string', writeOnly: true },
        },
      },
      Failure: { type: 'object', required: ['error'], properties: { error: { type: 'string' } } },
    },
  },
}

/** A response of the hand-made server, which a fault changes. */
interface Response {
  readonly status: number
  readonly type: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
}

/** What a fault changes in a response. */
type Fault = Partial<Response>

const valid: readonly JsonObject[] = [
  {
    request: 'GET /v1/notes/1?tags=a',
    response: { text: 'a' },
    responseHeaders: { 'X-Total': '^1$' },
  },
  { request: 'PUT /v1/notes/1', body: { text: 'a' }, status: 204 },
]
const invalid: readonly JsonObject[] = [
  { request: 'GET /v1/notes/x' },
  { request: 'PUT /v1/notes/1', body: {}, response: { error: 'invalid' } },
  { request: 'GET /v1/notes/1', credentials: 'none', status: 401 },
  { request: 'GET /v1/none', status: 404 },
]

/** Faults of a server, each with the requests that show it. */
const faults: Readonly<Record<string, readonly [Fault, readonly JsonObject[]]>> = {
  'another status': [{ status: 206 }, valid],
  'another media type': [{ type: 'text/plain' }, valid],
  'a body that is not as declared': [{ body: { text: 'too long' } }, valid],
  'another value': [{ body: { text: 'b' } }, valid],
  'a body that is no JSON': [{ body: undefined }, valid],
  'no header': [{ headers: {} }, valid],
  'a header that is no integer': [{ headers: { 'X-Total': 'one' } }, valid],
  'an error with another status': [{ status: 422 }, invalid],
  'an error with another media type': [{ type: 'application/json' }, invalid],
  'an error with another body': [{ body: { code: 'invalid', message: '', status: 400 } }, invalid],
}

function toResponse(method: string, path: string, isAllowed: boolean, body: unknown): Response {
  const isInvalid = path.endsWith('/x') || (method === 'PUT' && JSON.stringify(body) === '{}')
  const statuses = [
    [!isAllowed, 401, 'credentials'],
    [path.endsWith('/none'), 404, 'path'],
    [isInvalid, 400, 'invalid'],
  ] as const
  const [, status, error] = statuses.find(([applies]) => applies) ?? [true, 200, '']
  if (status !== 200) {
    return { status, type: 'application/problem+json', headers: {}, body: { error } }
  }
  if (method === 'PUT') {
    return { status: 204, type: '', headers: {}, body: '' }
  }
  const headers = { 'X-Total': '1' }
  return { status, type: 'application/json', headers, body: { text: 'a' } }
}

/** Starts a server of the description, which has a fault or none; returns what the judge finds. */
async function judgeServer(requests: readonly JsonObject[], fault: Fault = {}) {
  const app = express()
  app.use(express.json())
  app.use((request, response) => {
    const isAllowed = request.get('authorization') === 'Bearer the-key'
    const made = toResponse(request.method, request.path, isAllowed, request.body)
    const { status, type, headers, body }: Response = { ...made, ...fault }
    const text = body === '' ? '' : (JSON.stringify(body) ?? 'no JSON')
    // Unlike `send`, this adds no charset and no length.
    response.writeHead(status, type === '' ? headers : { ...headers, 'Content-Type': type })
    response.end(status === 204 ? '' : text)
  })
  const port = await listen(createServer(app))
  const document = toDocument(description)
  const errors = { type: 'application/problem+json', schema: '#/components/schemas/Failure' }
  const judged = { origin: `http://127.0.0.1:${port}`, key: 'the-key', document, served: document }
  const status = requests === valid ? '200' : '400'
  return judgeRequests({ ...judged, errors }, requests, status)
}

function toDocument(value: unknown): Document {
  // What was read from JSON is JSON.
  return new Document('/openapi.json', JSON.parse(JSON.stringify(value)) as JsonObject)
}

test('the judge of requests finds nothing wrong with a server that is right', async () => {
  expect(await judgeServer(valid)).toEqual([])
  expect(await judgeServer(invalid)).toEqual([])
})

test.for(Object.entries(faults))(
  'the judge of requests finds %s',
  async ([, [fault, requests]]) => {
    expect(await judgeServer(requests, fault)).not.toEqual([])
  },
)

const note = ['components', 'schemas', 'Note']
const path = ['paths', '/notes/{id}']

/** What is lost of the served document, each with the place of the change and the new value, if there is one. */
const losses: Readonly<Record<string, readonly [readonly string[], unknown?]>> = {
  'the base path': [['servers'], [{ url: '/' }]],
  'the version': [['info', 'version'], '2.0.0'],
  'a path': [path],
  'an operation': [[...path, 'put']],
  'the name of an operation': [[...path, 'put', 'operationId'], 'putNote'],
  'a parameter': [[...path, 'get', 'parameters']],
  'a parameter of a path': [[...path, 'parameters']],
  'the style of a parameter': [[...path, 'get', 'parameters', '0', 'explode'], false],
  'a request body': [[...path, 'put', 'requestBody']],
  'a response': [[...path, 'put', 'responses', '204']],
  'a media type': [['components', 'responses', 'Failed', 'content'], { 'application/json': {} }],
  'a header': [[...path, 'get', 'responses', '200', 'headers']],
  'a link': [[...path, 'get', 'responses', '200', 'links']],
  'a requirement': [['security']],
  'a security scheme': [['components', 'securitySchemes', 'key', 'scheme'], 'basic'],
  'a value of an enum': [[...note, 'properties', 'kind', 'enum'], ['a']],
  'a limit': [[...note, 'properties', 'text', 'maxLength']],
  'the value null': [[...note, 'properties', 'text', 'nullable']],
  'a required member': [[...note, 'required']],
  'a component': [['components', 'responses', 'Failed']],
}

/** Returns the description with another value at a place, or none. */
function change(place: readonly string[], value: unknown): UncheckedJson {
  const changed: UncheckedJson = structuredClone(description)
  const parent = place.slice(0, -1).reduce((found, key) => found[key], changed)
  parent[place.at(-1) ?? ''] = value
  return changed
}

test('the judge of documents accepts what is added, and other words for the same in OpenAPI 3.1', () => {
  const served: UncheckedJson = structuredClone(description)
  served.openapi = '3.1.0'
  served.components.schemas.Note.properties.text = { type: ['string', 'null'], maxLength: 5 }
  served.paths['/notes/{id}'].put.responses['429'] = { description: 'Slow down.' }
  served.paths['/notes/{id}'].put.responses['204'].headers = { 'X-Request-Id': {} }
  served.components.schemas.Added = {}
  expect(listLosses(toDocument(description), toDocument(served))).toEqual([])
})

test.for(Object.entries(losses))(
  'the judge of documents finds that %s is lost',
  ([, [place, value]]) => {
    const served = toDocument(change(place, value))
    expect(listLosses(toDocument(description), served)).not.toEqual([])
  },
)

test('the judge of files compares what references mean, also in other files and circles', () => {
  const folder = createTemporaryFolder()
  mkdirSync(join(folder, 'parts'))
  const files = {
    'one.yaml':
      'paths: { /a: { get: { x: { $ref: "#/c/A" } } } }\nc: { A: { n: 1, a: { $ref: "#/c/A" } } }',
    'several.yaml':
      'paths: { /a: { $ref: "parts/a_%7Bid%7D.yaml" } }\nc: { A: { n: 1, a: { $ref: "#/c/A" } } }',
    'parts/a_{id}.yaml': 'get: { x: { $ref: "../several.yaml#/c/A" } }',
    'changed.yaml':
      'paths: { /a: { get: { x: { $ref: "#/c/A" } } } }\nc: { A: { n: 2, a: { $ref: "#/c/A" } } }',
    'added.yaml':
      'paths: { /a: { get: { x: { $ref: "#/c/A" } } } }\nc: { A: { n: 1, b: 1, a: { $ref: "#/c/A" } } }',
  }
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(join(folder, name), text)
  }
  const compare = (before: string, after: string) =>
    listDifferences(new Document(join(folder, before)), new Document(join(folder, after)))
  expect(compare('one.yaml', 'several.yaml')).toEqual([])
  expect(compare('several.yaml', 'one.yaml')).toEqual([])
  expect(compare('several.yaml', 'changed.yaml')).toEqual(['/paths/~1a/get/x/n: 2, not 1'])
  expect(compare('one.yaml', 'added.yaml')).toEqual(['/paths/~1a/get/x/b was added'])
})
