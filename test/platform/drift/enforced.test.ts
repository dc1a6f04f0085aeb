import { expect, test } from 'vitest'
import { set, together } from '../pipeline/support/spec-edit.ts'
import { generateIn, typeFaultsIn } from './support/compiling.ts'
import { type Enforced, enforced } from './support/edits.ts'
import { createProjectCopy, editSpec } from './support/project-copy.ts'
import { get, post, startServiceIn } from './support/service.ts'
import { ignored, repeated } from './support/unenforced-edits.ts'

const toRows = (table: readonly Enforced[]) =>
  table.map(([kind, what, edit, ask, before, after]) => ({ kind, what, edit, ask, before, after }))
const rows = toRows(enforced)

test('before any edit the service answers each request as the table says', async () => {
  const { answer } = await startServiceIn(await createProjectCopy())
  for (const { ask, before } of toRows([...enforced, ...ignored, ...repeated])) {
    expect(await answer(ask), ask.path).toBe(before)
  }
})

const title = '$kind ($what): the service answers $after instead of $before with no other edit'

async function expectEnforced({ edit, ask, after }: (typeof rows)[number]): Promise<void> {
  const copy = await createProjectCopy()
  await editSpec(copy, edit)
  expect(await generateIn(copy)).toEqual([])
  const [{ answer }, typeFaults] = await Promise.all([startServiceIn(copy), typeFaultsIn(copy)])
  expect(typeFaults).toEqual([])
  expect(await answer(ask)).toBe(after)
}

test.for(rows)(title, expectEnforced)

// Passes when the service validates every request it lets in with Ajv as well.
test.fails.for(toRows(ignored))(title, expectEnforced)

// Passes when the request id and the fixed headers come from the description.
test.fails.for(toRows(repeated))(
  '$kind ($what): the service answers $after as before',
  expectEnforced,
)

const tags = {
  name: 'tags',
  in: 'query',
  description: 'Words about a pet.',
  schema: { type: 'array', items: { type: 'string' }, maxItems: 2 },
  example: ['small'],
}

test('a maxItems is enforced: a longer list is 400 in a request, and 500 in a response', async () => {
  const copy = await createProjectCopy()
  const asked = set('paths /pets get parameters 3', tags)
  await editSpec(copy, together(asked, set('components schemas Pets maxItems', 2)))
  expect(await generateIn(copy)).toEqual([])
  const { answer } = await startServiceIn(copy)
  expect(await answer(get('/pets?tags=a&tags=b'))).toBe(200)
  expect(await answer(get('/pets?tags=a&tags=b&tags=c'))).toBe(400)
  for (let pets = 1; pets <= 3; pets++) expect(await answer(post({}))).toBe(201)
  expect(await answer(get('/pets?limit=2'))).toBe(200)
  expect(await answer(get('/pets?limit=3'))).toBe(500)
})
