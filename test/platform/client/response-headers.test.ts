import { expect, test } from 'vitest'
import { createClient } from '../../../client/client.ts'
import { ApiError } from '../../../client/errors.ts'
import type { CallResult } from '../../../client/types.ts'
import { readBundled } from '../../../server/description/description-reader.ts'
import { readClientOperations } from '../../helpers/client-operations.ts'
import { bundleBesidePlatform } from '../../helpers/compiled-api.ts'
import { apiKey, baseUrl } from './support/client.ts'

interface Visits {
  readonly raw: unknown
  getVisit(): Promise<unknown> & CallResult
}

/** Returns what a client needs to know of an operation whose response has a header. */
async function compileVisits(header: object) {
  const response = {
    description: 'A visit.',
    headers: { 'X-Value': header },
    content: { 'application/json': { schema: { type: 'object' } } },
  }
  const description = await bundleBesidePlatform({
    openapi: '3.1.0',
    info: { title: 'Visits', version: '1.0.0' },
    paths: { '/visit': { get: { operationId: 'getVisit', responses: { 200: response } } } },
  })
  const { getVisit } = readClientOperations(readBundled(description))
  if (getVisit === undefined) {
    throw new Error('The description has no operation.')
  }
  return { getVisit }
}

/** Returns the headers that a client reads of a response with a text as the header `X-Value`. */
async function readHeader(header: object, text: string | undefined): Promise<unknown> {
  const headers = new Headers(text === undefined ? {} : { 'X-Value': text })
  const options = { baseUrl, apiKey, fetch: async () => Response.json({}, { headers }) }
  const client = createClient<Visits>(options, await compileVisits(header), ApiError)
  const received: object = await client.getVisit().withResponse()
  return 'headers' in received ? received.headers : undefined
}

const number = { type: 'integer' }
const ofType = (type: unknown, more: object = {}) => ({ schema: { type, ...more } })
const range = { type: 'object', properties: { from: number, note: { type: 'string' } } }

test.for<readonly [name: string, header: object, text: string, value: unknown]>([
  ['an integer', ofType('integer'), '12', 12],
  ['a number', ofType('number'), '-1.5', -1.5],
  ['a boolean', ofType('boolean'), 'true', true],
  ['a text of digits', ofType('string'), '12', '12'],
  ['a value without a type', { schema: {} }, '12', '12'],
  ['a number or a text', ofType(['integer', 'string']), '12', 12],
  ['a number or a text, as a text', ofType(['integer', 'string']), 'many', 'many'],
  ['a list of numbers', ofType('array', { items: number }), '3, 4,5', [3, 4, 5]],
  ['a list of texts', ofType('array', { items: { type: 'string' } }), 'a,b', ['a', 'b']],
  ['an empty list', ofType('array', { items: number }), '', []],
  ['an object', { schema: range }, 'from,1,note,2,other,3', { from: 1, note: '2', other: '3' }],
  ['an exploded object', { schema: range, explode: true }, 'from=1,note=a', { from: 1, note: 'a' }],
  [
    'an object with numbers by any name',
    { schema: { type: 'object', additionalProperties: number } },
    'a,1,toString,2',
    { a: 1, toString: 2 },
  ],
  ['JSON', { content: { 'application/json': { schema: range } } }, '{"from":1}', { from: 1 }],
])('a response header is read as %s', async ([, header, text, value]) => {
  expect(await readHeader(header, text)).toEqual({ 'X-Value': value })
})

test.for<readonly [name: string, header: object, text: string | undefined]>([
  ['was not sent', ofType('integer'), undefined],
  ['is no number', ofType('integer'), 'many'],
  ['has an item that is no number', ofType('array', { items: number }), '1,many'],
  ['is no JSON', { content: { 'application/json': { schema: range } } }, '{'],
])('a response header that %s has no value', async ([, header, text]) => {
  expect(await readHeader(header, text)).toEqual({})
})
