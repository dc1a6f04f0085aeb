import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { createTemporaryFolder } from '../temporary-folder.ts'
import type { Place } from './place.ts'

export interface SqlitePlace extends Place {
  readonly file: string
}

/** A store in a file of its own. */
export async function createSqlitePlace(): Promise<SqlitePlace> {
  const file = join(createTemporaryFolder(), 'store.sqlite')
  const execute = (sql: string): void => {
    const database = new DatabaseSync(file)
    database.exec(sql)
    database.close()
  }
  return {
    file,
    url: `sqlite:${file}`,
    deleteAnimal: async (id) => execute(`DELETE FROM animals WHERE id = ${id}`),
    async blockWriters() {
      const database = new DatabaseSync(file)
      database.exec('BEGIN IMMEDIATE')
      return async () => database.close()
    },
    dropAnimals: async () => execute('PRAGMA foreign_keys = OFF; DROP TABLE animals'),
  }
}
