import { StoreError } from '../errors.ts'
import { createImportStore } from '../import-store.ts'
import { createKeyStore, createUsageStore } from '../key-store.ts'
import { createPetStore } from '../pet-store.ts'
import type { Store, StoreOptions } from '../store.ts'
import type { SecretsTable } from '../tables.ts'
import { openDatabase } from './database.ts'
import { createPostgresEngine } from './engine.ts'
import { prepare } from './statement.ts'

/** Opens a store in a PostgreSQL database. */
export async function openPostgresStore(url: string, options: StoreOptions): Promise<Store> {
  const database = await openDatabase(url, options)
  const { read, probe, connections, close } = database
  const selectSecret = "SELECT * FROM secrets WHERE name = 'cursor'"
  const [secret] = await prepare<SecretsTable>(read, selectSecret)()
  if (secret === undefined) throw new StoreError('The database has no secret. Restore a backup.')
  const ping = prepare(probe, 'SELECT 1 FROM animals LIMIT 1')
  const engine = createPostgresEngine(database)
  return {
    pets: createPetStore(engine),
    keys: createKeyStore(engine),
    usage: createUsageStore(engine),
    imports: createImportStore(engine),
    secret: secret.value,
    ping: async () => void (await ping()),
    connections,
    close,
  }
}
