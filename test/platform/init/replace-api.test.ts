import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { changeOrRestore } from '../../../scripts/init/replace-api.ts'
import { createTemporaryFolder } from '../../helpers/temporary-folder.ts'

const entries = ['spec/', 'README.md', 'none.md']

/** Creates a folder with a file, and one in a folder of its own. */
function createProject(): string {
  const folder = join(createTemporaryFolder(), 'project')
  mkdirSync(join(folder, 'spec'), { recursive: true })
  writeFileSync(join(folder, 'spec/openapi.yaml'), 'description')
  writeFileSync(join(folder, 'README.md'), 'readme')
  return folder
}

test('files are restored where a change fails', async () => {
  const folder = createProject()
  const change = changeOrRestore(folder, entries, async () => {
    rmSync(join(folder, 'spec'), { recursive: true })
    writeFileSync(join(folder, 'README.md'), 'another')
    writeFileSync(join(folder, 'none.md'), 'a new file')
    throw new Error('the description has no paths')
  })
  await expect(change).rejects.toThrow('the description has no paths')
  expect(readFileSync(join(folder, 'spec/openapi.yaml'), 'utf8')).toBe('description')
  expect(readFileSync(join(folder, 'README.md'), 'utf8')).toBe('readme')
  expect(existsSync(join(folder, 'none.md'))).toBe(false)
})

test('the copy of files that cannot be restored is kept, and the error names it', async () => {
  const folder = createProject()
  const change = changeOrRestore(folder, entries, async () => {
    // Nothing can be copied to where a file is.
    rmSync(folder, { recursive: true })
    writeFileSync(folder, '')
    throw new Error('no space left on device')
  })
  const error: unknown = await change.catch((thrown) => thrown)
  const [, backup = ''] = /are in (\S+) as they were/.exec(String(error)) ?? []
  expect(String(error)).toMatch(/no space left on device\nThe project could not be restored: ./)
  expect(readFileSync(join(backup, 'spec/openapi.yaml'), 'utf8')).toBe('description')
  expect(readFileSync(join(backup, 'README.md'), 'utf8')).toBe('readme')
  rmSync(backup, { recursive: true })
})
