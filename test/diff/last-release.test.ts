import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runIn } from '../edits/support/compiling.ts'
import { set } from '../pipeline/support/spec-edit.ts'
import { copyProject } from '../pipeline/support/workspace.ts'
import { commitAll, createRepository, editText, forgetRelease, git } from './support/repository.ts'

const diff = 'scripts/diff.ts'

test('where there is no release, and where there is no git, a line says so', async () => {
  const copy = await createRepository()
  await forgetRelease(copy)
  expect((await runIn(copy, diff)).complaint).toBe(
    'there is no release yet; name a ref of git: npm run diff -- HEAD\n',
  )
  expect((await runIn(await copyProject(), diff, 'HEAD')).complaint).toBe(
    'HEAD cannot be looked up: this folder is no repository of git\n',
  )
})

test('the newest tag before HEAD is the last release, and spec/released.yaml if that is newer', async () => {
  const copy = await createRepository()
  const compared = async () => (await runIn(copy, diff, '--format', 'json')).output
  expect(JSON.parse(await compared())).toMatchObject({ base: { ref: 'spec/released.yaml' } })
  await git(copy, 'tag', 'v1.0.0')
  await git(copy, 'tag', 'v1.0.0-rc.1')
  await git(copy, 'tag', 'vacation')
  expect(JSON.parse(await compared())).toMatchObject({ base: { ref: 'v1.0.0', version: '1.0.0' } })
  await git(copy, 'checkout', '--quiet', '-b', 'aside')
  await editText(copy, set('info version', '1.10.0'))
  await commitAll(copy, 'Go on aside')
  await git(copy, 'tag', 'v1.9.0')
  await git(copy, 'tag', 'v1.10.0')
  expect(JSON.parse(await compared())).toMatchObject({ base: { ref: 'v1.10.0' } })
  await git(copy, 'checkout', '--quiet', 'main')
  expect(JSON.parse(await compared())).toMatchObject({ base: { ref: 'v1.0.0' } })
  const kept = join(copy, 'spec/released.yaml')
  await writeFile(kept, (await readFile(kept, 'utf8')).replace('version: 1.0.0', 'version: 1.1.0'))
  const newer = { base: { ref: 'spec/released.yaml', version: '1.1.0' } }
  expect(JSON.parse(await compared())).toMatchObject(newer)
})
