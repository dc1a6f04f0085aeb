import type { Store } from '../store.ts'
import { StoreRefused } from '../store-refused.ts'
import type { SecretsTable } from '../tables.ts'
import { type FileNotices, openDatabase } from './database.ts'
import { howToRestore } from './faults.ts'
import { createImportStore } from './imports.ts'
import { createKeyStore } from './keys.ts'
import { createPetStore } from './pets.ts'
import { watchWrites } from './readiness.ts'
import { prepare } from './statement.ts'
import { createUsageStore } from './usage.ts'

/** Opens a store in a SQLite file, or in memory for `:memory:`. */
export async function openSqliteStore(file: string, notices: FileNotices = {}): Promise<Store> {
  const database = await openDatabase(file, notices)
  const { connection } = database
  const { write, ping } = watchWrites(database)
  const secrets = prepare<SecretsTable>(connection, 'SELECT * FROM secrets WHERE name = ?')
  const secret = secrets.get('cursor')
  if (secret === undefined)
    throw new StoreRefused(`The database has lost its secrets. ${howToRestore}`)
  return {
    pets: createPetStore(database, write),
    keys: createKeyStore(database, write),
    usage: createUsageStore(database, write),
    imports: createImportStore(database, write),
    secret: secret.value,
    ping,
    async close() {
      if (connection.isOpen) connection.close()
    },
  }
}
