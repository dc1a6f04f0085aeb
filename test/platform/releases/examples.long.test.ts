import { expect, test } from 'vitest'
import { createClone } from '../../helpers/project-clone.ts'
import { follow, readPage } from './guide.ts'

test.for(['examples.md', 'files-and-streams.md', 'upstream.md'])(
  'each step of docs/%s works',
  async (page) => {
    const copy = await createClone()
    await follow(copy, readPage(page))
    expect(copy).not.toBe('')
  },
)
