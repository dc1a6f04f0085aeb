import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { parse } from 'yaml'
import { generateIn, runIn } from '../drift/support/project-copy.ts'
import { commitAll, createRepository, forgetRelease, git } from './support/repository.ts'

// Each of these runs the checks once or more.
vi.setConfig({ testTimeout: 600_000 })

const release = 'scripts/release.ts'

test('the first release is what the description says, with its operations in the changelog', async () => {
  const copy = await createRepository()
  await generateIn(copy)
  await forgetRelease(copy)
  const { status, output } = await runIn(copy, release)
  expect(output).toContain('released 1.0.0; to publish it: git push --follow-tags')
  expect(status).toBe(0)
  expect(await git(copy, 'tag', '--list')).toBe('v1.0.0')
  expect(await git(copy, 'cat-file', '-t', 'v1.0.0')).toBe('tag')
  const changelog = await readFile(join(copy, 'CHANGELOG.md'), 'utf8')
  const { paths } = parse(await readFile(join(copy, 'spec/openapi.yaml'), 'utf8'))
  for (const [path, { get }] of Object.entries<{ get?: Record<string, string> }>(paths)) {
    const { operationId, summary, 'x-sunset': sunset = '' } = get ?? {}
    if (operationId)
      expect(changelog).toContain(`- \`GET ${path}\`, \`${operationId}\`: ${summary}`)
    if (sunset) expect(changelog).toContain(`will be removed on ${sunset}).\n`)
  }
  expect(await git(copy, 'status', '--porcelain')).toBe('')
})

test('a release that lacks only its tag gets it, and then there is nothing to release', async () => {
  const copy = await createRepository()
  await generateIn(copy)
  await commitAll(copy, 'Generate')
  const head = await git(copy, 'rev-parse', 'HEAD')
  expect(await runIn(copy, release)).toMatchObject({
    status: 0,
    output: expect.stringContaining('release 1.0.0 is committed already; only its tag is missing'),
  })
  expect(await git(copy, 'rev-parse', 'v1.0.0^{commit}')).toBe(head)
  expect(await runIn(copy, release)).toMatchObject({
    status: 2,
    complaint: expect.stringContaining('nothing to release: the contract is that of 1.0.0; '),
  })
})
