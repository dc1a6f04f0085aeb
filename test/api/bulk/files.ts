import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { TestDatabase } from '../../helpers/databases/test-database.ts'
import { runScript, startScript } from '../../helpers/npm-script.ts'
import { project } from '../../helpers/program.ts'
import { createTemporaryFolder } from '../../helpers/temporary-folder.ts'

/** Starts a command of this project on a store. */
export function startOwn(
  { url }: TestDatabase,
  ...line: readonly [name: string, ...args: string[]]
) {
  return startScript({ url, project }, ...line)
}

/** Runs a command of this project on a store to its end. */
export function runOwn({ url }: TestDatabase, ...line: readonly [name: string, ...args: string[]]) {
  return runScript({ url, project }, ...line)
}

/** Writes a file of the test, and returns its path. */
export function writeInput(name: string, text: string | Buffer): string {
  const file = join(createTemporaryFolder(), name)
  writeFileSync(file, text)
  return file
}

/** Returns names of pets, each of them once. */
export function manyNames(count: number): string[] {
  return Array.from({ length: count }, (_, number) => `pet ${number}`)
}

/** Writes a CSV file of pets with these names, and returns its path. */
export function writeTable(names: readonly string[]): string {
  const rows = names.map((name) => `${name},7`)
  return writeInput('pets.csv', ['name,categoryId', ...rows].join('\n'))
}

/** Returns every pet of a store, in the order of ids. */
export async function allPets({ execute }: TestDatabase) {
  const rows = await execute('SELECT id, name, category_id, status FROM pets ORDER BY id')
  return rows.map(({ id, name, category_id: categoryId, status }) => ({
    id: Number(id),
    name,
    categoryId: Number(categoryId),
    ...(status !== null && { status }),
  }))
}

export async function allNames(db: TestDatabase) {
  return (await allPets(db)).map(({ name }) => name)
}

/** Waits until a store has a pet. */
export async function firstPetIn({ execute }: TestDatabase): Promise<void> {
  while ((await execute('SELECT id FROM pets LIMIT 1')).length === 0) {
    await wait(1)
  }
}
