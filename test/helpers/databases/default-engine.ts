import type { Engine } from './engines.ts'
import { createSqliteDatabase } from './sqlite-database.ts'

let usual: Pick<Engine, 'createTestDatabase'> = { createTestDatabase: createSqliteDatabase }

/** The engine of every test service that is given no database. */
export function defaultEngine(): Pick<Engine, 'createTestDatabase'> {
  return usual
}

/** Lets test services of this test file use another engine. */
export function useEngine(engine: Pick<Engine, 'createTestDatabase'>): void {
  usual = engine
}
