import type { Store } from '../store.ts'
import type { SecretsTable } from '../tables.ts'
import { createAnimalStore } from './animals.ts'
import { createCopies } from './copies.ts'
import { openDatabase } from './database.ts'
import { toStoreError } from './faults.ts'
import { createImportStore } from './imports.ts'
import { createKeyStore } from './keys.ts'
import { prepare } from './statement.ts'
import { createUsageStore } from './usage.ts'
import { createWriteQueue } from './write-queue.ts'

/** Opens a store in a SQLite file, or in memory for `:memory:`. */
export async function openSqliteStore(file: string): Promise<Store> {
  const database = await openDatabase(file)
  const { connection } = database
  const write = createWriteQueue(database)
  const secrets = prepare<SecretsTable>(connection, 'SELECT * FROM secrets WHERE name = ?')
  const secret = secrets.get('cursor')
  if (secret === undefined) throw new Error('The database has lost its secrets.')
  return {
    animals: createAnimalStore(database, write),
    keys: createKeyStore(database, write),
    usage: createUsageStore(database, write),
    imports: createImportStore(database, write),
    copies: createCopies(database, write),
    secret: secret.value,
    async ping() {
      try {
        database.assertInPlace()
        connection.exec('SELECT 1 FROM animals LIMIT 1')
      } catch (error) {
        throw toStoreError(error)
      }
    },
    async close() {
      if (connection.isOpen) connection.close()
    },
  }
}
