import type { Migrator } from 'kysely/migration'

const tooNew =
  'a newer version of the service made it; run that version, or restore a backup from before it'

/** Takes the steps that a database has not seen; throws where it has seen more than this program. */
export async function migrate(migrator: Migrator): Promise<void> {
  const { error } = await migrator.migrateToLatest()
  if (error !== undefined) throw isUnknownStep(error) ? new Error(tooNew, { cause: error }) : error
}

// Kysely names a step that the database knows and this program does not.
function isUnknownStep(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('corrupted migrations')
}
