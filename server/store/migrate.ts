import { type Dialect, type DynamicModule, Kysely } from 'kysely'
import type { Migrator, MigratorProps } from 'kysely/migration'

/** A query builder for tables that are not there yet. */
export type MigrationBuilder = MigratorProps['db']

// The tables as a migrator sees them. To give it a builder of known tables would make the compiler
// compare all that Kysely can build, which takes a third of what the store takes in all.
type AnyTables = MigrationBuilder['dynamic'] extends DynamicModule<infer DB> ? DB : never

/** Makes a query builder that migrations are taken with. */
export function createMigrationBuilder(dialect: Dialect): MigrationBuilder {
  return new Kysely<AnyTables>({ dialect })
}

const tooNew = 'a newer version of the service made it'

/** Takes the steps that a database has not seen; throws where it has seen more than this program. */
export async function migrate(migrator: Migrator): Promise<void> {
  const { error } = await migrator.migrateToLatest()
  if (error !== undefined) throw isUnknownStep(error) ? new Error(tooNew, { cause: error }) : error
}

// Kysely names a step that the database knows and this program does not.
function isUnknownStep(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('corrupted migrations')
}
