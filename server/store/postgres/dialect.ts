import { type Dialect, DummyDriver, Kysely, PostgresAdapter, PostgresDialect } from 'kysely'
import type { Pool } from 'pg'
import type { Tables } from '../tables.ts'

/** A query builder that writes SQL for PostgreSQL and runs none. */
export function createQueryBuilder(): Kysely<Tables> {
  const dialect = new PostgresDialect({ pool: () => Promise.reject(new Error('It runs nothing.')) })
  return new Kysely<Tables>({
    dialect: { ...partsOf(dialect), createDriver: () => new DummyDriver() },
  })
}

/** Takes migrations on any engine that speaks as PostgreSQL does. */
export function createMigrationDialect(pool: Pool): Dialect {
  const dialect = new PostgresDialect({ pool })
  return { ...partsOf(dialect), createAdapter: () => new UnlockedAdapter() }
}

function partsOf(dialect: PostgresDialect): Dialect {
  return {
    createAdapter: () => dialect.createAdapter(),
    createDriver: () => dialect.createDriver(),
    createIntrospector: (queries) => dialect.createIntrospector(queries),
    createQueryCompiler: () => dialect.createQueryCompiler(),
  }
}

/**
 * Kysely would take an advisory lock, which distributed engines do not have and which a pooler in
 * between loses. Migrations are one transaction instead: the one of two that comes later finds the
 * first one's tables and steps, is undone, and looks again.
 */
class UnlockedAdapter extends PostgresAdapter {
  override async acquireMigrationLock(): Promise<void> {}
  override async releaseMigrationLock(): Promise<void> {}
}
