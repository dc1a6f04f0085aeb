import { writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { parse, stringify } from 'yaml'
import { compareDescriptions } from '../../../scripts/diff/compare.ts'
import { compile } from '../../../scripts/pipeline/artifacts.ts'
import { atValue, createLocator, editText, remove } from '../../helpers/spec-edit.ts'
import type { UncheckedJson } from '../../helpers/unchecked-json.ts'
import { writeSpec } from './support/workspace.ts'

const text = `openapi: 3.1.0
info: { title: A, version: 1.0.0 }
x-common:
  headers: { X-Id: { $ref: "#/components/headers/Id" } }
  deprecationHeaders: { Sunset: { $ref: "#/components/headers/Sunset" } }
  responses:
    "401": { $ref: "#/components/responses/Unauthorized" }
  requestBodyResponses: { "415": { $ref: "#/components/responses/Other" } }
  idempotencyKeyHeaders: { X-Repeated: { $ref: "#/components/headers/Repeated" } }
  idempotencyKeyResponses: { "409": { $ref: "#/components/responses/Other" } }
x-undeclared-operations: { "404": { description: Nothing. } }
paths:
  /a:
    get: { operationId: getA, deprecated: true, responses: { "200": { description: A. } } }
    post:
      operationId: addA
      parameters: [{ $ref: "#/components/parameters/Key" }]
      requestBody: { content: { application/json: { schema: {} } } }
      responses:
        "201": { description: A., headers: { X-Id: { schema: { const: mine } } } }
        "401": { $ref: "#/components/responses/Other" }
components:
  headers: { Id: { schema: { type: string } }, Sunset: { schema: {} }, Repeated: { schema: {} } }
  parameters: { Key: { name: Idempotency-Key, in: header, schema: {} } }
  responses: { Unauthorized: { description: No. }, Other: { description: No. } }
`

const header = (name: string) => ({ $ref: `#/components/headers/${name}` })
const response = (name: string) => ({ $ref: `#/components/responses/${name}` })
const id = { 'X-Id': header('Id') }
const sunset = { ...id, Sunset: header('Sunset') }

async function compiled(spec: string): Promise<UncheckedJson> {
  const { artifacts } = await compile(spec, 'minimal')
  return JSON.parse(artifacts.get('openapi.json') ?? '')
}

test('what x-common declares is at every operation that it concerns, unless that declares it itself', async () => {
  const description = await compiled(await writeSpec(text))
  const { get, post } = description.paths['/a']
  expect(get.responses).toEqual({
    200: { description: 'A.', headers: sunset },
    401: response('Unauthorized'),
  })
  const own = { 'X-Id': { schema: { const: 'mine' } }, 'X-Repeated': header('Repeated') }
  expect(post.responses).toEqual({
    201: { description: 'A.', headers: own },
    401: response('Other'),
    409: response('Other'),
    415: response('Other'),
  })
  expect(description.components.responses).toEqual({
    // A deprecated operation refers to it.
    Unauthorized: { description: 'No.', headers: sunset },
    Other: { description: 'No.', headers: id },
  })
  const outside = { 404: { description: 'Nothing.', headers: id } }
  expect(description['x-undeclared-operations']).toEqual(outside)
})

const shared = `openapi: 3.1.0
info: { title: A, version: 1.0.0 }
x-common:
  deprecationHeaders: { Sunset: { $ref: "#/components/headers/Sunset" } }
  idempotencyKeyHeaders: { X-Repeated: { schema: {} } }
paths:
  /a:
    get:
      operationId: getA
      deprecated: true
      responses: { "200": { $ref: "#/components/responses/A" }, "404": { $ref: "#/components/responses/Old" } }
    post:
      operationId: addA
      parameters: [{ name: Idempotency-Key, in: header, schema: {} }]
      responses: { "200": { $ref: "#/components/responses/A" } }
    put: { operationId: putA, responses: { "200": { $ref: "#/components/responses/A" } } }
components:
  headers: { Sunset: { schema: {} }, Wait: { schema: {} } }
  responses:
    A:
      description: A.
      headers: { Wait: { $ref: "#/components/headers/Wait" }, Own: { schema: { type: string } } }
      content: { application/json: { schema: { type: string } } }
    Old: { description: Old. }
`

test('headers of deprecated or repeatable operations are declared on these alone, also where they share a response with others', async () => {
  const description = await compiled(await writeSpec(shared))
  const { get, post, put } = description.paths['/a']
  const own = { Wait: header('Wait'), Own: { schema: { type: 'string' } } }
  const content = { 'application/json': { schema: { type: 'string' } } }
  const copy = (more: object) => ({ description: 'A.', headers: { ...own, ...more }, content })
  expect(get.responses[200]).toEqual(copy({ Sunset: header('Sunset') }))
  expect(post.responses[200]).toEqual(copy({ 'X-Repeated': { schema: {} } }))
  expect(put.responses[200]).toEqual(response('A'))
  // Only a deprecated operation has this one.
  expect(get.responses[404]).toEqual(response('Old'))
  expect(description.components.responses).toEqual({
    A: copy({}),
    Old: { description: 'Old.', headers: { Sunset: header('Sunset') } },
  })
})

test('a shared response in another file is copied with what it refers to there', async () => {
  const { components, ...root } = parse(shared)
  const spec = await writeSpec(
    stringify({ ...root, components: { headers: components.headers } }).replaceAll(
      '#/components/responses',
      'responses.yaml#',
    ),
  )
  const responses = stringify(components.responses).replaceAll('#/', 'openapi.yaml#/')
  await writeFile(join(dirname(spec), 'responses.yaml'), responses)
  const { paths } = await compiled(await writeSpec(shared))
  const description = await compiled(spec)
  for (const method of ['get', 'post']) {
    const { headers, content } = description.paths['/a'][method].responses[200]
    const whole = paths['/a'][method].responses[200]
    expect(content).toEqual(whole.content)
    expect(headers).toEqual({ ...whole.headers, Own: header('Own') })
  }
  expect(description.components).not.toHaveProperty('mediaTypes')
})

test('it is added to operations in other files', async () => {
  const { paths, ...root } = parse(text)
  const spec = await writeSpec(stringify({ ...root, paths: { '/a': { $ref: 'a.yaml' } } }))
  const path = stringify(paths['/a']).replaceAll('#/', 'openapi.yaml#/')
  await writeFile(join(dirname(spec), 'a.yaml'), path)
  expect(await compiled(spec)).toEqual(await compiled(await writeSpec(text)))
})

test('the diff compares what operations have, wherever it is declared', async () => {
  const short = await writeSpec(text)
  const long = await writeSpec(JSON.stringify(await compiled(short)))
  expect(compareDescriptions(long, short).changes).toEqual([])
  const edits = [
    remove('x-common requestBodyResponses'),
    remove('components headers Id schema type'),
  ]
  const edited = await writeSpec(editText(text, ...edits))
  const { changes } = compareDescriptions(short, edited)
  const { line } = createLocator(text)(atValue('x-common requestBodyResponses 415'))
  const id = 'response-non-success-status-removed'
  const removed = { id, place: 'x-common', what: 'The response 415 was removed.', line }
  expect(changes).toContainEqual(expect.objectContaining(removed))
  // Only x-common refers to it.
  const widened = {
    bump: 'major',
    what: '`type` of the header `Id` is no longer stated; it was `string`.',
  }
  expect(changes).toContainEqual(expect.objectContaining(widened))
})
