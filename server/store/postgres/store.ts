import type { Store } from '../store.ts'
import type { SecretsTable } from '../tables.ts'
import { openDatabase } from './database.ts'
import { createImportStore } from './imports.ts'
import { createKeyStore } from './keys.ts'
import type { PostgresOptions } from './options.ts'
import { createPetStore } from './pets.ts'
import { prepare } from './statement.ts'
import { createUsageStore } from './usage.ts'

/** Opens a store in a PostgreSQL database. */
export async function openPostgresStore(url: string, options: PostgresOptions): Promise<Store> {
  const database = await openDatabase(url, options)
  const { read, probe, connections, close } = database
  const readSecret = prepare<SecretsTable>(read, 'SELECT * FROM secrets WHERE name = $1')
  const ping = prepare(probe, 'SELECT 1 FROM animals LIMIT 1')
  const [secret] = await readSecret('cursor')
  if (secret === undefined) throw new Error('The database has lost its secrets.')
  return {
    pets: createPetStore(database),
    keys: createKeyStore(database),
    usage: createUsageStore(database),
    imports: createImportStore(database),
    secret: secret.value,
    ping: async () => void (await ping()),
    connections,
    close,
  }
}
