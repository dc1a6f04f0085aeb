import { globSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createPostgresDatabase } from '../../helpers/databases/postgres-database.ts'
import { needCommand } from '../../helpers/program.ts'
import { commit, createClone } from '../../helpers/project-clone.ts'
import { runInCopy } from '../../helpers/project-copy.ts'

test('the first release keeps a store that later versions open', async (context) => {
  // Without PostgreSQL no store can be kept.
  needCommand(context, 'pg_dump')
  await createPostgresDatabase()
  const first = await createClone()
  const inFirst = (line: string) => runInCopy(first, line)
  const written = globSync(['spec/released.yaml', 'test/api/kept-store/[0-9]*'], { cwd: first })
  for (const name of written) {
    rmSync(join(first, name), { recursive: true })
  }
  await inFirst(commit)

  const released = await inFirst('npm run -s release')
  const [, version = ''] = /^released ([\d.]+);/m.exec(released) ?? []
  expect(version).not.toBe('')
  expect(await inFirst('git status --porcelain')).toBe('')
  // Another release with these migrations needs no other store.
  expect(await inFirst('npm run -s keep-store')).toContain(`those of ${version}, `)
  await inFirst(`npx --no-install vitest run test/api/kept-store/kept-store -t 'of ${version} on'`)
})
