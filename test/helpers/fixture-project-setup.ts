import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { createFixtureProject } from './fixture-project.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder of the fixture project. */
    readonly fixtureProject: string
  }
}

/** Creates the fixture project for a run of the tests, and removes it after the run. */
export async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  // Not below node_modules: Node.js strips no types there.
  const folder = await mkdtemp(join(tmpdir(), 'fixture-project-'))
  await createFixtureProject(folder)
  provide('fixtureProject', folder)
  return () => rm(folder, { recursive: true })
}
