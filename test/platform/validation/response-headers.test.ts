import { expect, test } from 'vitest'
import type { HeaderValue } from '../../../server/contract/header-value.ts'
import { startServiceOf } from '../../helpers/service.ts'
import { createSmallApi, type SmallOperation } from './support/small-api.ts'

/** A header object of OpenAPI, a value of it with its text, and a value that does not fit. */
type Kind = readonly [
  what: string,
  header: object,
  value: HeaderValue,
  text: string,
  invalid: HeaderValue,
]

const integers = { type: 'array', items: { type: 'integer' } }
const color = {
  type: 'object',
  properties: { R: { type: 'integer' }, G: { type: 'integer' } },
  additionalProperties: false,
}
const tuple = { type: 'array', prefixItems: [{ type: 'integer' }, { type: 'string' }] }
const Size = { type: 'integer', minimum: 1, maximum: 9 }

const kinds: readonly Kind[] = [
  ['a list', { schema: integers }, [3, 4], '3,4', ['a']],
  ['a list with explode', { schema: integers, explode: true }, [3, 4], '3,4', 3],
  ['a list of one', { schema: integers, style: 'simple' }, [3], '3', [0.5]],
  ['a list that is referred to', { schema: { $ref: '#/components/schemas/Sizes' } }, [1], '1', [0]],
  ['an object', { schema: color }, { R: 100, G: 200 }, 'R,100,G,200', { R: 'a' }],
  [
    'an object with explode',
    { schema: color, explode: true },
    { R: 100, G: 200 },
    'R=100,G=200',
    { B: 1 },
  ],
  ['a tuple', { schema: tuple }, [1, 'a'], '1,a', ['a', 'a']],
  ['an integer', { schema: { type: 'integer' } }, 7, '7', 7.5],
  ['a number', { schema: { type: 'number', multipleOf: 0.01 } }, 19.99, '19.99', 0.001],
  ['a boolean', { schema: { type: 'boolean' } }, false, 'false', 'false'],
  ['a text', { schema: { type: 'string', maxLength: 3 } }, 'a b', 'a b', 'a  b'],
  [
    'a reference to a part',
    { schema: { $ref: '#/components/schemas/Sizes/items' } },
    ...([9, '9', 10] as const),
  ],
  ['anything', { schema: true }, 'a', 'a', ''],
  ['a header without a schema', {}, 5, '5', ''],
]

const content = { 'application/json': { schema: true } }

/** Operations that send the value of a kind, one that does not fit, and a sample. */
const operations = kinds.flatMap(([, header, value, , invalid], index): SmallOperation[] => {
  const declared = { 'X-Free': { required: true, ...header } }
  const respond = (sent: HeaderValue) => () => {
    return { status: 200, headers: { 'X-Free': sent }, body: {} }
  }
  const handlers = { valid: respond(value), invalid: respond(invalid), samples: 'sampled' } as const
  return Object.entries(handlers).map(([name, handler]) => {
    const response = { headers: declared, content }
    return { method: 'get', path: `/${name}/${index}`, response, handler }
  })
})

test('a header of a response is sent in the style simple, and validated by its value', async () => {
  const Sizes = { type: 'array', items: Size }
  const { send } = await startServiceOf(createSmallApi(operations, { Sizes }))
  for (const [index, [what, , , text, invalid]] of kinds.entries()) {
    const { status, headers } = await send(`/v1/valid/${index}`)
    expect.soft([status, headers.get('X-Free')], what).toEqual([200, text])
    expect.soft((await send(`/v1/samples/${index}`)).status, what).toBe(200)
    // Some are valid whatever their value is.
    if (invalid === '') {
      continue
    }

    expect.soft((await send(`/v1/invalid/${index}`)).status, what).toBe(500)
  }
})

test('each cookie of a response is sent in a field of its own', async () => {
  const declared = { 'Set-Cookie': { schema: { type: 'array', items: { type: 'string' } } } }
  const cookies = ['a=1; Path=/', 'b=2']
  const operation: SmallOperation = {
    method: 'get',
    path: '/cookies',
    response: { headers: declared, content },
    handler: () => ({ status: 200, headers: { 'Set-Cookie': cookies }, body: {} }),
  }
  const { send } = await startServiceOf(createSmallApi([operation], {}))
  const { headers } = await send('/v1/cookies')
  expect(headers.getSetCookie()).toEqual(cookies)
})
