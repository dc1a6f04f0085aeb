import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    /** A folder outside of the project that all test files of a run share. */
    runFolder: string
  }
}

/** Makes the folder before the run, and removes it afterwards. */
export function setup({ provide }: TestProject): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'animal-store-run-'))
  provide('runFolder', folder)
  return () => rmSync(folder, { recursive: true, force: true })
}
