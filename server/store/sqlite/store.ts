import { StoreError } from '../errors.ts'
import { createImportStore } from '../import-store.ts'
import { createKeyStore, createUsageStore } from '../key-store.ts'
import { createPetStore } from '../pet-store.ts'
import type { Store, StoreOptions } from '../store.ts'
import type { SecretsTable } from '../tables.ts'
import { openDatabase } from './database.ts'
import { createSqliteEngine } from './engine.ts'
import { howToRestore } from './errors.ts'
import { prepare } from './statement.ts'
import { WriteQueue } from './write-queue.ts'

/** Opens a store in an SQLite file, or in memory for `:memory:`. */
export async function openSqliteStore(file: string, options: StoreOptions = {}): Promise<Store> {
  const database = await openDatabase(file, options)
  const { connection } = database
  const queue = new WriteQueue(database)
  const selectSecret = "SELECT * FROM secrets WHERE name = 'cursor'"
  const secret = prepare<SecretsTable>(connection, selectSecret).get()
  if (secret === undefined) throw new StoreError(`The database has no secret. ${howToRestore}`)
  const engine = createSqliteEngine(database, queue.write)
  return {
    pets: createPetStore(engine),
    keys: createKeyStore(engine),
    usage: createUsageStore(engine),
    imports: createImportStore(engine),
    secret: secret.value,
    ping: () => queue.ping(),
    async close() {
      if (connection.isOpen) connection.close()
    },
  }
}
