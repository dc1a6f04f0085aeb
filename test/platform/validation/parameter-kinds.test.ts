import { expect, test } from 'vitest'
import { json, pathsOf, startKinds } from './support/kinds-service.ts'
import { cents, inherited, ref, small } from './support/schema-kinds.ts'
import type { SmallOperation } from './support/small-api.ts'

/** A kind of schema of a parameter, with texts that fit it, and others with the place that does not. */
interface ParameterKind {
  readonly what: string
  readonly schema: unknown
  /** `value` unless set. */
  readonly name?: string
  readonly valid: readonly (readonly [query: string, value: unknown])[]
  readonly invalid: readonly (readonly [query: string, pointer: string])[]
}

const parameterKinds: readonly ParameterKind[] = [
  {
    what: 'a reference to a property of a component',
    schema: ref('components/schemas/Unit/properties/size'),
    valid: [['value=9', 9]],
    invalid: [['value=10', '']],
  },
  {
    what: 'a reference into $defs of a component, and keywords beside it',
    schema: ref('components/schemas/Box/$defs/Size', { maximum: 5 }),
    valid: [['value=5', 5]],
    invalid: [['value=6', '']],
  },
  {
    what: 'a list whose items are a reference to items',
    schema: { type: 'array', items: ref('components/schemas/Unit/properties/sizes/items') },
    valid: [['value=1&value=9', [1, 9]]],
    invalid: [['value=1&value=10', '/1']],
  },
  {
    what: 'a list that is a reference to a property, with other bounds',
    schema: { allOf: [ref('components/schemas/Unit/properties/sizes'), { maxItems: 1 }] },
    valid: [['value=1', [1]]],
    invalid: [['value=1&value=2', '']],
  },
  {
    what: 'multiples of 0.01',
    schema: cents,
    valid: [
      ['value=19.99', 19.99],
      ['value=4.35', 4.35],
    ],
    invalid: [['value=0.001', '']],
  },
  {
    what: 'a pattern that needs no flag u',
    schema: { type: 'string', pattern: '^[\\w-.]+$' },
    valid: [['value=a-b.c', 'a-b.c']],
    invalid: [['value=a%20b', '']],
  },
  {
    what: 'anything',
    schema: true,
    valid: [['value=1e2', '1e2']],
    invalid: [['value=', '']],
  },
  {
    what: 'values that look like references',
    schema: { type: 'string', enum: [{ $ref: 'nowhere' }, 'a'] },
    valid: [['value=a', 'a']],
    invalid: [['value=b', '']],
  },
  { what: 'nothing', schema: false, valid: [], invalid: [['value=1', '']] },
  {
    what: 'a text that looks like JSON',
    schema: { allOf: [ref('components/schemas/Code'), { minLength: 2 }] },
    valid: [
      ['value=1e2', '1e2'],
      ['value=null', 'null'],
      ['value=%7B%22a%22%3A1%7D', '{"a":1}'],
    ],
    invalid: [['value=1', '']],
  },
  ...[...inherited.slice(0, -1), 'page[size]', 'a.b/c~d', 'ä'].map((name) => ({
    what: `a parameter called ${name}`,
    schema: small,
    name,
    valid: [[`${encodeURIComponent(name)}=3`, 3]] as const,
    invalid: [[`${encodeURIComponent(name)}=0`, '']] as const,
  })),
]

const integer = { name: 'n', in: 'query', schema: { type: 'integer' } }
const parameterOperations = parameterKinds.map(
  ({ schema, name = 'value' }, index): SmallOperation => ({
    ...{ method: 'get', path: `/parameters/${index}` },
    parameters: [{ name, in: 'query', schema }, integer],
    response: json(true),
    handler: ({ query }) => ({ status: 200, body: { value: query[name] } }),
  }),
)

test('values of each kind of parameter are accepted, and others are rejected with their place', async () => {
  const ask = await startKinds(parameterOperations)
  for (const [index, { what, name = 'value', valid, invalid }] of parameterKinds.entries()) {
    const own = `/query/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
    for (const [query, value] of valid) {
      const path = `/parameters/${index}?${query}`
      expect.soft(await ask(path), what).toEqual({ status: 200, body: { value } })
      // What explains the rejection finds nothing wrong with the value either.
      const { body } = await ask(`${path}&n=0x10`)
      expect.soft(pathsOf(body), what).toEqual(['/query/n'])
    }
    for (const [query, pointer] of invalid) {
      const { status, body } = await ask(`/parameters/${index}?${query}`)
      expect.soft([status, pathsOf(body)], `${what}: ${query}`).toEqual([400, [own + pointer]])
    }
  }
})
