import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { onTestFinished } from 'vitest'
import { openStore } from '../../server/store/open-store.ts'
import type { Store } from '../../server/store/store.ts'
import { createTemporaryFolder } from '../support/temporary-folder.ts'

/** Where an engine keeps one store, and what only the engine's owner can do there. */
export interface Place {
  /** Opens the store; twice for two instances on the same animals. Closed when the test ends. */
  readonly open: () => Promise<Store>
  /** Deletes an animal behind the store's back. */
  readonly deleteAnimal: (id: number) => void
  /** Keeps every writer waiting until the returned function is called. */
  readonly blockWriters: () => () => void
}

/** Makes a place that nothing was kept in yet. */
export type CreatePlace = () => Place

/** What any store must do, rule by rule: each runs at a place of its own. */
export type StoreRules = Readonly<Record<string, (createPlace: CreatePlace) => Promise<void>>>

export interface SqlitePlace extends Place {
  readonly file: string
}

export function createSqlitePlace(): SqlitePlace {
  const file = join(createTemporaryFolder(), 'store.sqlite')
  return {
    file,
    async open() {
      const store = await openStore(`sqlite:${file}`)
      onTestFinished(() => store.close())
      return store
    },
    deleteAnimal(id) {
      const database = new DatabaseSync(file)
      database.prepare('DELETE FROM animals WHERE id = ?').run(id)
      database.close()
    },
    blockWriters() {
      const database = new DatabaseSync(file)
      database.exec('BEGIN IMMEDIATE')
      return () => database.close()
    },
  }
}
