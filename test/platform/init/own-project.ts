import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import { expectFailure } from '../../helpers/npm-script.ts'
import { findBrokenReferences } from '../../helpers/pages.ts'
import { project, startProgram } from '../../helpers/program.ts'
import { copyParts, runInCopy } from '../../helpers/project-copy.ts'
import type { Until } from '../../helpers/temporary-folder.ts'

/** Creates a copy of the whole project, as a clone has it. */
export async function createClone(until?: Until): Promise<string> {
  const others = ['.git', 'node_modules', 'data']
  const parts = (await readdir(project)).filter((name) => !others.includes(name))
  return copyParts(project, parts, until)
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
    await runInCopy(copy, line)
  }
  const read = (name: string) => readFile(join(copy, name), 'utf8')
  // It has nothing of the API that was here.
  expect(await read('generated/openapi.json')).not.toMatch(/animal|\bpets?\b|category/i)
  const changelog = await read('CHANGELOG.md')
  expect(changelog).toMatch(/^## [\d.]+ \([\d-]+\)\n\nThe first release\.\n/m)
  // The page that led here may name what is gone.
  const broken = findBrokenReferences(copy).filter((found) => !found.startsWith('docs/your-own'))
  expect(broken).toEqual([])
  const guide = await read('docs/your-own-api.md')
  expect(guide).not.toMatch(/npm run init|book-club|## 1/)
  expect(guide).toContain('`server/city-guide/schema.ts`')
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
