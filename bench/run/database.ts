import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { issueLargeKey } from '../large-key.ts'
import { insertAnimals, seriesInSqlite } from '../many-animals.ts'

/** A store that servers get copies of. */
export interface Database {
  /** A key that no load comes to the limits of. */
  readonly key: string
  /** The URL of a copy of its own. */
  readonly copy: () => string
}

/** Makes a store with animals in a file. */
export async function createDatabase(folder: string, animals: number): Promise<Database> {
  const file = join(folder, `${animals}.sqlite`)
  const key = await issueLargeKey(`sqlite:${file}`)
  const database = new DatabaseSync(file)
  database.exec(insertAnimals(seriesInSqlite(animals)))
  database.exec('ANALYZE; PRAGMA wal_checkpoint(TRUNCATE)')
  database.close()
  let copies = 0
  return {
    key,
    copy() {
      const copy = file.replace(/\.sqlite$/, `-${++copies}.sqlite`)
      copyFileSync(file, copy)
      return `sqlite:${copy}`
    },
  }
}
