import { expect, test, vi } from 'vitest'
import { createClone } from '../../helpers/project-clone.ts'
import { follow, readPage } from './guide.ts'

// The steps of a page install nothing, but check and test a project.
vi.setConfig({ testTimeout: 600_000 })

test.for(['examples.md', 'upstream.md'])('each step of docs/%s works', async (page) => {
  const copy = await createClone()
  await follow(copy, readPage(page))
  expect(copy).not.toBe('')
})
