import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { createPostgresDatabase } from '../../helpers/databases/postgres-database.ts'
import { needCommand } from '../../helpers/program.ts'
import { runInCopy, tryInCopy } from '../../helpers/project-copy.ts'
import { createClone } from '../init/own-project.ts'
import { commitAll, readVersion } from './guide.ts'

// It runs the checks several times, which take a while on a busy machine.
vi.setConfig({ testTimeout: 600_000 })

test('the first release has the version of the description, and keeps a store that later versions open', async (context) => {
  // Without PostgreSQL no store can be kept.
  needCommand(context, 'pg_dump')
  await createPostgresDatabase()
  const first = await createUnreleasedClone()
  const inFirst = (line: string) => runInCopy(first, line)
  const version = await readVersion(first)
  const none = 'there is no release yet'
  expect(await inFirst('npm run -s check')).toContain(
    `  ${none} to compare with; make the first one`,
  )
  expect((await tryInCopy(first, 'npm run -s diff')).output).toMatch(new RegExp(`^${none}; name a`))

  // It fails while it writes its files.
  const lockFile = join(first, 'package-lock.json')
  const lock = readFileSync(lockFile, 'utf8')
  writeFileSync(lockFile, lock.replace(/^ {2}"version".*\n/m, ''))
  await inFirst('git commit --quiet --all --message Broken')
  const state = 'git status --porcelain && git rev-parse HEAD && git tag --list'
  const before = await inFirst(state)
  const failed = await tryInCopy(first, 'npm run -s release')
  expect(failed.output).toContain(`there is no version to write the version ${version} to`)
  expect(await inFirst(state)).toBe(before)
  await inFirst('git reset --quiet --hard HEAD~1')

  expect(await inFirst('npm run -s release')).toContain(`released ${version}; to publish it: `)
  expect(await inFirst('git describe --exact-match')).toBe(`v${version}\n`)
  expect(await inFirst('git status --porcelain')).toBe('')
  expect(readFileSync(join(first, 'CHANGELOG.md'), 'utf8')).toMatch(
    new RegExp(`^## ${RegExp.escape(version)} \\([\\d-]+\\)\\n\\nThe first release\\.\\n`, 'm'),
  )
  const nothing = `Nothing has changed in the contract since ${version} (spec/released.yaml).\n`
  expect(await inFirst('npm run -s diff')).toBe(nothing)
  expect(await inFirst('npm run -s check')).not.toContain(none)
  // Another release with these migrations needs no other store.
  expect(await inFirst('npm run -s keep-store')).toContain(`those of ${version}, `)
  await inFirst(`npx --no-install vitest run test/api/kept-store -t 'of ${version} on'`)
})

/** Creates a copy of the whole project, a repository in which nothing was released yet. */
async function createUnreleasedClone(): Promise<string> {
  const first = await createClone()
  const written = globSync(['spec/released.yaml', 'test/api/kept-store/[0-9]*'], { cwd: first })
  for (const name of written) rmSync(join(first, name), { recursive: true })
  await commitAll(first)
  return first
}
