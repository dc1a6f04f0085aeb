import { expect, test } from 'vitest'
import { tools } from '../../helpers/fixture-service.ts'
import { startRecorder } from './recorder.ts'

const id = { type: 'integer', readOnly: true }
const name = { type: 'string' }
const pointer = '#/paths/~1tools/post/requestBody/content/application~1json/schema'
const person = { type: 'object', required: ['id', 'name'], properties: { id, name } }

test.for([
  ['of a property', person, { id: 1, name: 'a' }, { name: 'a' }],
  ['with an invalid value', person, { id: ['a'], name: 'a' }, { name: 'a' }],
  [
    'inside a property, and in the items of a list',
    { properties: { owner: person, members: { type: 'array', items: person } } },
    { owner: { id: 1, name: 'a' }, members: [{ id: 2, name: 'b' }, { name: 'c' }] },
    { owner: { name: 'a' }, members: [{ name: 'b' }, { name: 'c' }] },
  ],
  [
    'in the items of a tuple and in additional properties',
    { additionalProperties: { prefixItems: [name], items: person } },
    { a: ['a', { id: 1, name: 'b' }] },
    { a: ['a', { name: 'b' }] },
  ],
  [
    'behind allOf',
    { properties: { id: { allOf: [id, { maximum: 9 }], default: 1 } }, required: ['id'] },
    { id: 10, name: 'a' },
    { name: 'a' },
  ],
  [
    'behind a reference',
    { $defs: { id }, properties: { id: { $ref: `${pointer}/$defs/id` } }, required: ['id'] },
    { id: 1 },
    {},
  ],
  [
    'that a part requires which is a reference',
    {
      $defs: { Needs: { required: ['id', 'owner'], properties: { owner: person } } },
      allOf: [{ properties: { id } }, { $ref: `${pointer}/$defs/Needs` }],
    },
    { owner: { id: 1, name: 'a' } },
    { owner: { name: 'a' } },
  ],
  [
    'that an alternative requires',
    { properties: { id, name }, anyOf: [{ required: ['id', 'name'] }, { required: ['code'] }] },
    { name: 'a' },
    { name: 'a' },
  ],
  [
    'of the alternative that the value fits',
    {
      oneOf: [
        { ...person, required: ['name'] },
        { properties: { id: name }, required: ['id'], not: { required: ['name'] } },
      ],
    },
    { id: 'a' },
    { id: 'a' },
  ],
] as const)(
  'a readOnly member is removed from a request: %s',
  async ([, schema, sent, received]) => {
    const { send, inputs } = await startRecorder(schema)
    const { status } = await send(tools, { json: sent })
    expect([status, inputs.map(({ body }) => body)]).toEqual([201, [received]])
  },
)

test('a readOnly member is rejected by a body that is closed against it', async () => {
  for (const closed of [
    { allOf: [person, { properties: { id: false } }] },
    { allOf: [person, { properties: { name }, additionalProperties: false }] },
  ]) {
    const { send } = await startRecorder(closed)
    expect((await send(tools, { json: { name: 'a' } })).status).toBe(201)
    const rejected = await send(tools, { json: { id: 1, name: 'a' } })
    const details = [expect.objectContaining({ path: '/body/id' })]
    expect(await rejected.json()).toMatchObject({ status: 400, details })
  }
})
