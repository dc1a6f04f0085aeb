import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** A folder of one test, gone when the test is finished. */
export function createTemporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'animal-store-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
