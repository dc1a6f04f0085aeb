import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** What a folder lasts for: one test, or with `afterAll` all tests of a file. */
export type Until = (remove: () => void) => void

/** Creates a folder, which is removed at its end. */
export function createTemporaryFolder(until: Until = onTestFinished): string {
  const folder = mkdtempSync(join(tmpdir(), 'test-'))
  until(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
