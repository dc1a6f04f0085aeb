import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import { ownerOf } from '../../../scripts/platform/ownership.ts'
import { expectFailure } from '../../helpers/npm-script.ts'
import { findBrokenReferences } from '../../helpers/pages.ts'
import { startProgram } from '../../helpers/program.ts'
import { commit, createClone } from '../../helpers/project-clone.ts'
import { runInCopy } from '../../helpers/project-copy.ts'

/** Returns the digests that git has of the platform's files, as they are in the index of a copy. */
async function hashPlatform(copy: string): Promise<readonly string[]> {
  const listed = await runInCopy(copy, 'git ls-files --stage')
  return listed.split('\n').filter((line) => {
    const [, path = ''] = line.split('\t')
    return path !== '' && ownerOf(path) === 'platform'
  })
}

/** Makes a project of a description in a new copy, which leaves the files of the platform as they are; returns its folder. */
export async function initProject(spec: string): Promise<string> {
  // Pages refer to the tests of the platform.
  const copy = await createClone(undefined, { hasPlatformTests: true })
  const before = await hashPlatform(copy)
  await runInCopy(copy, 'git tag v1.0.0')
  await runInCopy(copy, `npm run -s init -- --spec '${spec}' --name city-guide`)
  expect(await runInCopy(copy, 'git tag')).toBe('')

  await runInCopy(copy, commit)
  expect(await hashPlatform(copy)).toEqual(before)
  expect(findBrokenReferences(copy)).toEqual([])
  await expectStart(copy)
  return copy
}

/**
 * Makes a project of a description. Its checks must pass, its first release, its build, and its tests of
 * every operation with valid and invalid requests. Returns its folder.
 */
export async function tryDescription(spec: string, tests?: string): Promise<string> {
  const copy = await initProject(spec)
  // It runs all of `npm run check` first.
  await runInCopy(copy, 'npm run -s release && git describe --exact-match')
  if (tests !== undefined) {
    await runInCopy(copy, `npx vitest run ${tests}`)
  }
  await runInCopy(copy, 'npm run -s build')

  const changelog = await readFile(join(copy, 'CHANGELOG.md'), 'utf8')
  expect(changelog).toMatch(/^## [\d.]+ \([\d-]+\)\n\nThe first release\.\n/m)
  return copy
}

/** Expects a project of samples to start, and in production only if samples are allowed. */
async function expectStart(copy: string): Promise<void> {
  const env = { PORT: '0', OPS_PORT: 'off', DATABASE_URL: 'sqlite::memory:' }
  const inProduction = { env: { ...env, NODE_ENV: 'production' }, cwd: copy }
  const { ended } = startProgram(`${copy}/server/main.ts`, [], inProduction)
  await expectFailure(ended, /^Operations without a handler: .* set SAMPLES=on /)

  const service = startProgram(`${copy}/server/main.ts`, [], { env, cwd: copy })
  const [, origin = ''] = await service.waitForOutput(/listens at (http:\/\/[^/]+)/)
  expect((await fetch(`${origin}/readyz`)).status).toBe(200)
  expect((await fetch(`${origin}/docs`)).status).toBe(200)
  expect((await service.kill('SIGTERM')).status).toBe(0)
}
