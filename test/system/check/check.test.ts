import { appendFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { editSpec, generateIn, runIn } from '../../helpers/project-copy.ts'
import { changeLimit, set } from '../../helpers/spec-edit.ts'
import { commitAll, createRepository, git } from '../../platform/gate/support/repository.ts'

test('a release that git rejects leaves everything as it was, after a check with a line for each step', {
  timeout: 300_000,
}, async () => {
  const copy = await createRepository()
  await git(copy, 'tag', 'v1.0.0')
  await editSpec(copy, changeLimit(100), set('info version', '1.1.0'))
  await generateIn(copy)
  await commitAll(copy, 'Allow larger pages')
  const head = await git(copy, 'rev-parse', 'HEAD')
  await mkdir(join(copy, '.git/hooks'), { recursive: true })
  const hook = '#!/bin/sh\necho "not on a Friday" >&2; exit 1\n'
  await writeFile(join(copy, '.git/hooks/pre-commit'), hook, { mode: 0o755 })
  const { status, output, errorOutput } = await runIn(copy, 'scripts/release.ts')
  expect(errorOutput).toContain('git commit failed: not on a Friday')
  expect(status).toBe(1)
  const lines = output.replaceAll(/\d+\.\d s\)/g, 's)').match(/^(?:ok|FAILED) .*/gm)
  expect(lines?.toSorted()).toEqual([
    'ok     code lint and format (s)',
    'ok     spec lint and freshness of generated/ (s)',
    'ok     types (s)',
    'ok     version, sunsets and stored values since the last release (s)',
    'ok     workflows (s)',
  ])
  expect(await git(copy, 'status', '--porcelain')).toBe('')
  expect(await git(copy, 'rev-parse', 'HEAD')).toBe(head)
  expect(await git(copy, 'tag', '--list')).toBe('v1.0.0')
})

test('every failure of npm run check is reported, and nothing is released', {
  timeout: 300_000,
}, async () => {
  const copy = await createRepository()
  await git(copy, 'tag', 'v1.0.0')
  await breakEverything(copy)
  await commitAll(copy, 'Break everything')
  const head = await git(copy, 'rev-parse', 'HEAD')
  const { status, output, errorOutput } = await runIn(copy, 'scripts/release.ts')
  expect(status).toBe(1)
  expect(errorOutput).toMatch(/^nothing was released, because the checks failed; /)
  expect(await git(copy, 'rev-parse', 'HEAD')).toBe(head)
  expect(await git(copy, 'tag', '--list')).toBe('v1.0.0')
  expect(await git(copy, 'status', '--porcelain')).toBe('')
  for (const failure of failures) expect(output).toMatch(failure)
})

const failures = [
  /^FAILED spec lint and freshness of generated\/ \(\d+\.\d s\)$/m,
  /^ {2}generated\/operations\.ts is stale; run: npm run generate$/m,
  /^ {2}generated\/examples\.ts is missing; run: npm run generate$/m,
  /^ {2}generated\/notes\.md does not come from the spec; /m,
  /^FAILED version, sunsets and stored values since the last release .*\n {2}spec\/released\.yaml differs from v1\.0\.0, .*git checkout v1\.0\.0 -- spec\/released\.yaml$/m,
  /^FAILED workflows .*\n {2}spec\/workflows\.arazzo\.yaml:\d+:\d+ .*: there is no operation missingOperation$/m,
  /^FAILED code lint and format/m,
  /^ {2}most of this is fixed by: npm run format$/m,
  /^FAILED types/m,
  /^ {2}server\/misplaced\.ts\(1,14\): error TS2322: Type 'number'/m,
]

/** Gives every step of the check a failure. */
async function breakEverything(copy: string): Promise<void> {
  const file = (name: string) => join(copy, name)
  await writeFile(file('spec/released.yaml'), await editSpec(copy, changeLimit(100)))
  await editSpec(copy, set('info title', 'Another title'))
  expect(await generateIn(copy)).toEqual([])
  await appendFile(file('generated/operations.ts'), '// Changed by hand.\n')
  await rm(file('generated/examples.ts'))
  await writeFile(file('generated/notes.md'), 'mine')
  await writeFile(file('server/misplaced.ts'), 'export const a: string = 1;\n')
  const workflows = file('spec/workflows.arazzo.yaml')
  const text = await readFile(workflows, 'utf8')
  await writeFile(workflows, text.replace(/operationId: \w+/, 'operationId: missingOperation'))
}
