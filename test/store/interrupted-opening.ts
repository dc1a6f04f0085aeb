import { copyFileSync, existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { openStore } from '../../server/store/open-store.ts'
import { watchStatements } from './statements.ts'

/**
 * Opens a fresh store and copies its files before each statement: the copies are what a crash at
 * that moment would have left. Gives the database file of each copy.
 */
export async function snapshotOpening(folder: string): Promise<string[]> {
  const file = join(folder, 'fresh.sqlite')
  const copies: string[] = []
  const copy = (): void => void copies.push(copyFiles(file, join(folder, `${copies.length}`)))
  const store = await watchStatements(copy, () => openStore(`sqlite:${file}`))
  await store.close()
  return copies
}

// The -shm file is left out: after a crash nobody has it mapped, and it is made anew.
function copyFiles(file: string, folder: string): string {
  mkdirSync(folder)
  const copy = join(folder, 'fresh.sqlite')
  for (const ending of ['', '-wal', '-journal']) {
    if (existsSync(file + ending)) copyFileSync(file + ending, copy + ending)
  }
  return copy
}
