import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { findBrokenReferences } from '../../helpers/pages.ts'
import { project, startProgram } from '../../helpers/program.ts'
import { createSharedCopy, removeCopy, run } from '../../helpers/project-copy.ts'

/** Lists the files and folders of the project that a clone has. */
export async function listParts(): Promise<string[]> {
  const others = ['.git', 'node_modules', 'data']
  return (await readdir(project)).filter((name) => !others.includes(name))
}

/** Creates a copy of the whole project, as a clone has it; it is removed when the test is finished. */
export async function createClone(): Promise<string> {
  const copy = await createSharedCopy(await listParts())
  onTestFinished(() => removeCopy(copy))
  return copy
}

/**
 * Makes a project of a description in a new copy. Its checks must pass, its first release, its tests
 * of every operation with valid and invalid requests, and it must start.
 */
export async function tryDescription(spec: string, tests?: string): Promise<void> {
  const copy = await createClone()
  const commit = 'git add --all && git commit --quiet --message A'
  for (const line of [
    'git init --quiet && git config user.name A && git config user.email a@example.org',
    `${commit} && git tag v1.0.0`,
    `npm run -s init -- --spec '${spec}' --name city-guide`,
    'test -z "$(git tag)"',
    // It runs all of `npm run check` first.
    `${commit} && npm run -s release && git describe --exact-match`,
    ...(tests === undefined ? [] : [`npx vitest run ${tests}`]),
    'npm run -s build',
  ]) {
    await run(copy, line)
  }
  const changelog = await readFile(join(copy, 'CHANGELOG.md'), 'utf8')
  expect(changelog).toMatch(/^## [\d.]+ \([\d-]+\)\n\nThe first release\.\n/m)
  // The page that led here may name what is gone.
  const broken = findBrokenReferences(copy).filter((found) => !found.startsWith('docs/your-own'))
  expect(broken).toEqual([])
  const guide = await readFile(join(copy, 'docs/your-own-api.md'), 'utf8')
  expect(guide).not.toMatch(/npm run init|book-club|## 1/)
  expect(guide).toContain('`server/city-guide/schema.ts`')
  const env = { PORT: '0', OPS_PORT: 'off', DATABASE_URL: 'sqlite::memory:' }
  const service = startProgram(`${copy}/server/main.ts`, [], { env, cwd: copy })
  const [, origin = ''] = await service.waitForOutput(/listens at (http:\/\/[^/]+)/)
  expect((await fetch(`${origin}/readyz`)).status).toBe(200)
  expect((await fetch(`${origin}/docs`)).status).toBe(200)
  expect((await service.kill('SIGTERM')).status).toBe(0)
}
