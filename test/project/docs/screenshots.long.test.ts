import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { needCommand } from '../../helpers/program.ts'
import { createProjectCopy, runInCopy } from '../../helpers/project-copy.ts'

test('npm run screenshots takes the same pictures again', { timeout: 400_000 }, async (context) => {
  needCommand(context, 'chromium', 'chromium-browser', 'google-chrome')
  const copy = await createProjectCopy()
  const take = async () => {
    await runInCopy(copy, 'node docs/screenshots.ts')
    const names = ['reference.png', 'studio.png']
    return Promise.all(names.map((name) => readFile(join(copy, 'docs', name), 'base64')))
  }
  expect(await take()).toEqual(await take())
})
