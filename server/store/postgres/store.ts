import { StoreError } from '../errors.ts'
import type { Store, StoreOptions } from '../store.ts'
import type { SecretsTable } from '../tables.ts'
import { createCopies } from './copies.ts'
import { openDatabase } from './database.ts'
import { createImportStore } from './imports.ts'
import { createKeyStore, createUsageStore } from './keys.ts'
import { createPetStore } from './pets.ts'
import { prepare } from './statement.ts'

/** Opens a store in a PostgreSQL database. */
export async function openPostgresStore(url: string, options: StoreOptions): Promise<Store> {
  const database = await openDatabase(url, options)
  const { read, probe, connections, close } = database
  const selectSecret = "SELECT * FROM secrets WHERE name = 'cursor'"
  const [secret] = await prepare<SecretsTable>(read, selectSecret)()
  if (secret === undefined) throw new StoreError('The database has no secret. Restore a backup.')
  const ping = prepare(probe, 'SELECT 1 FROM animals LIMIT 1')
  return {
    pets: createPetStore(database),
    keys: createKeyStore(database),
    usage: createUsageStore(database),
    imports: createImportStore(database),
    copies: createCopies(database),
    secret: secret.value,
    ping: async () => void (await ping()),
    connections,
    close,
  }
}
