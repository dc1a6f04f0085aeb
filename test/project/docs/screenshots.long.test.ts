import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { needCommand, project } from '../../helpers/program.ts'
import { copyParts, runInCopy } from '../../helpers/project-copy.ts'

const parts = [
  ...['package.json', 'tsconfig.json', 'redocly.yaml', 'platform.json'],
  ...['spec', 'scripts', 'generated', 'server', 'client', 'docs'],
]

test('npm run screenshots takes the same pictures again', { timeout: 400_000 }, async (context) => {
  needCommand(context, 'chromium', 'chromium-browser', 'google-chrome')
  const copy = await copyParts(project, parts)
  const take = async () => {
    await runInCopy(copy, 'node scripts/screenshots.ts')
    const names = ['reference.png', 'studio.png']
    return Promise.all(names.map((name) => readFile(join(copy, 'docs/api', name), 'base64')))
  }
  expect(await take()).toEqual(await take())
})
