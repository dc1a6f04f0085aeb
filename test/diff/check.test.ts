import { readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { together } from '../edits/support/changes.ts'
import { generateIn, runIn } from '../edits/support/compiling.ts'
import { project } from '../edits/support/project-copy.ts'
import { set } from '../pipeline/support/spec-edit.ts'
import { createFolder } from '../pipeline/support/workspace.ts'
import { commitAll, createRepository, editText, git } from './support/repository.ts'

const step = 'version and promises since the last release'

test('the check fails until the version has taken its step, in a shallow clone without tags too', {
  timeout: 120_000,
}, async () => {
  const origin = await createRepository()
  await git(origin, 'tag', 'v1.0.0')
  const copy = join(await createFolder(), 'clone')
  await git(origin, 'clone', '--quiet', '--depth=1', '--no-tags', `file://${origin}`, copy)
  await symlink(join(project, 'node_modules'), join(copy, 'node_modules'))
  expect(await git(copy, 'tag', '--list')).toBe('')

  const raised = set('components parameters Limit schema maximum', 200)
  await editText(copy, raised)
  expect(await generateIn(copy)).toEqual([])
  const refused = await runIn(copy, 'scripts/check.ts')
  expect(refused.output).toMatch(
    new RegExp(
      `^FAILED ${step} .*\\n  spec/openapi\\.yaml: info\\.version is 1\\.0\\.0 and must be at least 1\\.1\\.0, because the changes since spec/released\\.yaml \\(1\\.0\\.0\\) need it; write version: 1\\.1\\.0, then run: npm run generate\\n    minor: components\\.parameters\\.Limit: `,
      'm',
    ),
  )
  expect(refused.status).toBe(1)

  await editText(copy, together(raised, set('info version', '1.1.0')))
  expect(await generateIn(copy)).toEqual([])
  expect((await runIn(copy, 'scripts/check.ts')).output).toMatch(new RegExp(`^ok {5}${step}`, 'm'))
})

test('a release that is written by hand past the newest tag is refused', {
  timeout: 120_000,
}, async () => {
  const copy = await createRepository()
  const release = async () => {
    const { output } = await runIn(copy, 'scripts/check.ts')
    return new RegExp(`^(?:ok|FAILED) +${step} .*\\n(?: .*\\n)*`, 'm').exec(output)?.[0]
  }
  await git(copy, 'tag', 'v1.0.0')
  expect(await release()).toMatch(/^ok/)
  const kept = join(copy, 'spec/released.yaml')
  await writeFile(kept, (await readFile(kept, 'utf8')).replace('maximum: 100', 'maximum: 50'))
  await editText(copy, set('components parameters Limit schema maximum', 50))
  await commitAll(copy, 'Get past the gate')
  expect(await release()).toMatch(
    /^FAILED .*\n {2}spec\/released\.yaml is not as v1\.0\.0 has it, .*git checkout v1\.0\.0 -- spec\/released\.yaml$/m,
  )
})
