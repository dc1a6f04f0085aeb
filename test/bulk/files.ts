import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { vi } from 'vitest'
import type { Animal } from '../../server/store/animal-store.ts'
import type { Store } from '../../server/store/store.ts'
import { createTemporaryFolder } from '../support/temporary-folder.ts'

// These tests start several programs each, and PGlite alone may take half of the usual time.
vi.setConfig({ testTimeout: 120_000 })

/** Writes a file of the test; gives its path. */
export function writeInput(name: string, text: string | Buffer): string {
  const file = join(createTemporaryFolder(), name)
  writeFileSync(file, text)
  return file
}

export function readText(file: string): string {
  return readFileSync(file, 'utf8')
}

/** Names that no two animals of a test share. */
export function manyNames(count: number): string[] {
  return Array.from({ length: count }, (_, number) => `animal ${number}`)
}

/** A table of animals with these names. */
export function writeTable(names: readonly string[]): string {
  return writeInput(
    'animals.csv',
    ['name,categoryId', ...names.map((name) => `${name},7`)].join('\n'),
  )
}

/** Every animal of a store, in the order of ids. */
export async function allAnimals({ animals }: Store): Promise<Animal[]> {
  const all: Animal[] = []
  for (;;) {
    const page = await animals.page({ after: all.at(-1)?.id ?? 0, limit: 1_000, status: undefined })
    if (page.length === 0) return all
    all.push(...page)
  }
}

export async function allNames(store: Store): Promise<string[]> {
  return (await allAnimals(store)).map(({ name }) => name)
}

/** What a copy of a store has to have. */
export async function contentOf(store: Store) {
  const keys = await store.keys.list()
  return {
    animals: await allAnimals(store),
    keys: keys.map((record) => ({ ...record, digest: toHex(record.digest) })),
    usage: await store.usage.list(),
    secret: toHex(store.secret),
  }
}

function toHex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex')
}

/** Waits until a store has an animal. */
export async function firstAnimalIn({ animals }: Store): Promise<void> {
  while ((await animals.lastId()) === 0) await wait(1)
}
