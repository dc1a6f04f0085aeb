import { expect, test } from 'vitest'
import { readBundled } from '../../../server/description/description-reader.ts'
import { unservedOperations } from '../../../server/description/unserved.ts'

const elsewhere = { $ref: 'https://other.example/api.yaml#/a' }
const info = { title: 'A', version: '1.0.0' }

/** Returns the reasons why a description's one operation is not served. */
function reasonsOf(operation: object, parameters: readonly object[] = []) {
  const post = { responses: { 204: { description: 'OK' } }, ...operation }
  const components = { schemas: { Elsewhere: { properties: { default: elsewhere } } } }
  const description = { openapi: '3.1.0', info, paths: { '/a': { parameters, post } }, components }
  return [...unservedOperations(readBundled(description)).values()]
}

const bodyOf = (media: object) => ({ requestBody: { content: { 'application/json': media } } })
const responseOf = (response: object) => ({
  responses: { 200: { description: 'OK', ...response } },
})
const component = { $ref: '#/components/schemas/Elsewhere' }

const needed: Readonly<Record<string, object>> = {
  parameter: { parameters: [elsewhere] },
  'schema of a parameter': { parameters: [{ name: 'a', in: 'query', schema: elsewhere }] },
  body: { requestBody: elsewhere },
  'property of a body, through a component': bodyOf({ schema: component }),
  response: { responses: { 200: elsewhere } },
  header: responseOf({ headers: { 'X-A': elsewhere } }),
  'property called example': bodyOf({ schema: { properties: { example: elsewhere } } }),
  'items of a stream': responseOf({
    content: { 'text/event-stream': { 'x-item-schema': elsewhere } },
  }),
}

test.for(Object.entries(needed))(
  'an operation whose %s is on another host is not served',
  ([, operation]) => {
    const reason =
      'it refers to https://other.example/api.yaml#/a, on another host, which is not read'
    expect(reasonsOf(operation)).toEqual([reason])
  },
)

test('an operation is not served if a parameter of its path is on another host', () => {
  expect(reasonsOf({}, [elsewhere])).toHaveLength(1)
})

const unneeded: Readonly<Record<string, object>> = {
  extension: { 'x-tool': { settings: elsewhere } },
  'extension of a schema': bodyOf({ schema: { type: 'object', 'x-tool': elsewhere } }),
  example: bodyOf({ example: elsewhere }),
  examples: responseOf({
    content: { 'application/json': { examples: { a: { value: elsewhere } } } },
  }),
  'example of a schema': bodyOf({ schema: { example: elsewhere, examples: [elsewhere] } }),
  default: bodyOf({ schema: { properties: { a: { default: elsewhere } } } }),
  'listed value': bodyOf({ schema: { enum: [elsewhere], const: elsewhere } }),
  callback: {
    callbacks: { done: { '{$url}': { post: { requestBody: elsewhere } } }, other: elsewhere },
  },
  link: responseOf({ links: { next: elsewhere } }),
}

test.for(Object.entries(unneeded))(
  'an operation is served if only its %s has a reference to another host',
  ([, operation]) => {
    expect(reasonsOf(operation)).toEqual([])
  },
)
