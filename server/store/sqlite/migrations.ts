import { createMigrations } from '../migrations.ts'

// AUTOINCREMENT never gives an id twice, not even that of the last row after its deletion.
const numbered = 'INTEGER PRIMARY KEY AUTOINCREMENT'

/** The steps that bring a database up to date, in the order of their names. */
export const migrations = createMigrations({
  integer: 'INTEGER',
  bytes: 'BLOB',
  animalId: numbered,
  keyPosition: numbered,
  toAnimal: 'REFERENCES animals (id)',
  table: 'STRICT',
  tableByKey: 'STRICT, WITHOUT ROWID',
  literal: (bytes) => `x'${bytes.toString('hex')}'`,
  further: [],
})
