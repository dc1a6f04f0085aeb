import { expect, test } from 'vitest'
import { createProjectCopy, runInCopy } from '../../helpers/project-copy.ts'

test('npm run check passes in the fixture project', { timeout: 300_000 }, async () => {
  const copy = await createProjectCopy()
  const output = await runInCopy(copy, 'npm run -s check')
  expect(output).toContain('types (')
})
