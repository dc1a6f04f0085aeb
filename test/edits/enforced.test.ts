import { expect, test } from 'vitest'
import { generateIn, typeFaultsIn } from './support/compiling.ts'
import { enforced } from './support/edits.ts'
import { createProjectCopy, editSpec } from './support/project-copy.ts'
import { startServiceIn } from './support/service.ts'

const rows = enforced.map(([kind, what, edit, ask, before, after]) => {
  return { kind, what, edit, ask, before, after }
})

test('before any edit the service answers each request as the table says', async () => {
  const { answer } = await startServiceIn(await createProjectCopy())
  for (const { ask, before } of rows) expect(await answer(ask), ask.path).toBe(before)
})

const title = '$kind ($what): the service answers $after instead of $before with no other edit'

test.for(rows)(title, async ({ edit, ask, after }) => {
  const copy = await createProjectCopy()
  await editSpec(copy, edit)
  expect(await generateIn(copy)).toEqual([])
  const [{ answer }, typeFaults] = await Promise.all([startServiceIn(copy), typeFaultsIn(copy)])
  expect(typeFaults).toEqual([])
  expect(await answer(ask)).toBe(after)
})
