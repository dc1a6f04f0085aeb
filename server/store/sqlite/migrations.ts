import { sql } from 'kysely'
import { createMigrations } from '../migrations.ts'

// AUTOINCREMENT never gives an id twice, not even that of the last row after its deletion.
const numbered = sql`INTEGER PRIMARY KEY AUTOINCREMENT`

/** The steps that bring a database up to date, in the order of their names. */
export const migrations = createMigrations({
  integer: sql`INTEGER`,
  bytes: sql`BLOB`,
  animalId: numbered,
  keyPosition: numbered,
  toAnimal: sql`REFERENCES animals (id)`,
  table: sql`STRICT`,
  tableByKey: sql`STRICT, WITHOUT ROWID`,
})
