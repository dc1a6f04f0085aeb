import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { generateIn, runIn } from '../../helpers/project-copy.ts'
import { createRepository, forgetRelease, git } from '../../platform/gate/support/repository.ts'

test('the first release is what the description says, with an entry in the changelog', {
  timeout: 600_000,
}, async () => {
  const copy = await createRepository()
  await generateIn(copy)
  await forgetRelease(copy)
  const { status, output } = await runIn(copy, 'scripts/release.ts')
  expect(output).toContain('released 1.0.0; to publish it: git push --follow-tags')
  expect(status).toBe(0)
  expect(await git(copy, 'tag', '--list')).toBe('v1.0.0')
  expect(await git(copy, 'cat-file', '-t', 'v1.0.0')).toBe('tag')
  const changelog = await readFile(join(copy, 'CHANGELOG.md'), 'utf8')
  expect(changelog).toMatch(/^## 1\.0\.0 \([\d-]+\)\n\nThe first release\.\n/m)
  expect(await git(copy, 'status', '--porcelain')).toBe('')
})
