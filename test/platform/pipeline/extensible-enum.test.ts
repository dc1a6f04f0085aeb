import { expect, test } from 'vitest'
import { compile } from '../../../scripts/pipeline/artifacts.ts'
import { type Edit, editText, remove, set, together } from '../../helpers/spec-edit.ts'
import type { UncheckedJson } from '../../helpers/unchecked-json.ts'
import { bump, judge } from '../gate/support/gate.ts'
import { readBase, writeSpec } from './support/workspace.ts'

const status = 'components schemas Status'
const open = (...values: readonly unknown[]) =>
  together(remove(`${status} enum`), set(`${status} x-extensible-enum`, values))
const known = ['available', 'pending', 'sold']

async function compileEdited(...edits: readonly Edit[]) {
  const { artifacts } = await compile(
    await writeSpec(editText(await readBase(), ...edits)),
    'strict',
  )
  return artifacts
}

test('a list of values that is not final is an enum for the service, and open in the types and texts', async () => {
  const artifacts = await compileEdited(open(...known))
  const { components }: UncheckedJson = JSON.parse(artifacts.get('openapi.json') ?? '')
  expect(components.schemas.Status).toMatchObject({
    enum: known,
    'x-extensible-enum': known,
    description: expect.stringMatching(
      /^Whether a tool can be lent\. More values may be added in a minor/,
    ),
  })
  const types = [...artifacts]
    .filter(([name]) => name.endsWith('.ts'))
    .map(([, text]) => text)
    .join()
  expect(types).toMatch(/Status: "available" \| "pending" \| "sold" \| \(string & \{\s*\}\)/)
})

test('a list of values that is not final may gain values in a minor version, and lose none in requests', async () => {
  const before = open('available', 'pending')
  const { diff } = await judge(set(`${status} x-extensible-enum`, known), { before })
  expect(diff).toMatchObject({ bump: 'minor', needed: '1.1.0' })
  expect(diff?.changes).toEqual([
    expect.objectContaining({
      place: 'components.schemas.Status',
      what: '`Status` now also allows `sold`.',
    }),
  ])
  const fewer = await judge(set(`${status} x-extensible-enum`, ['available']), { before })
  expect(fewer.diff).toMatchObject({ bump: 'major' })
  // What is marked only now was final for those who have read it before.
  const marked = await judge(together(open(...known, 'lost'), bump('2.0.0')))
  const ids = marked.diff?.changes.map(({ id }) => id)
  expect(ids).toEqual([
    'response-property-enum-value-added',
    'response-property-became-extensible-enum',
  ])
})

test.for([
  ['a text', 'available', 'List the values that there are now, each a text.'],
  ['an empty list', [], 'List the values that there are now, each a text.'],
  ['a list of numbers', [1, 2], 'List the values that there are now, each a text.'],
  [
    'a list with a value twice',
    ['available', 'available', 'sold', 'pending'],
    'List each value once.',
  ],
] as const)(
  'x-extensible-enum that is %s is an error with its line',
  async ([, value, message]) => {
    const edit = set(`${status} x-extensible-enum`, value)
    await expect(compileEdited(remove(`${status} enum`), edit)).rejects.toThrow(
      new RegExp(`:\\d+:\\d+ service/extensible-enum ${message}`),
    )
  },
)

test('an enum beside x-extensible-enum must have the same values', async () => {
  await expect(compileEdited(set(`${status} x-extensible-enum`, ['available']))).rejects.toThrow(
    /service\/extensible-enum Remove `enum`, or list the same values in it\./,
  )
})
