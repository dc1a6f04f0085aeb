import type { Schema as Contract } from '../contract/handler.ts'
import type { ColumnType, Dialect } from '../store/engine.ts'
import type { CreatedTable } from '../store/idempotent-create.ts'
import type { Schema } from '../store/schema.ts'

export type Pet = Contract<'Pet'>
export type NewPet = Contract<'NewPet'>

/** The column of each field of a new pet. A field that the contract gains or loses fails here. */
export const petColumns = {
  name: ['name', 'text'],
  categoryId: ['category_id', 'bigint'],
  status: ['status', 'text'],
} as const satisfies Record<keyof NewPet, readonly [name: string, type: ColumnType]>

/** The table of the pets. */
export const petTable: CreatedTable = {
  name: 'pets',
  columns: Object.fromEntries(Object.values(petColumns)),
}

/** Returns the statements that create the tables of the first release. */
function createTables(dialect: Dialect): readonly string[] {
  const { id, integer, options } = dialect.types
  return [
    // No CHECK repeats the values of `status`, which the contract defines.
    `CREATE TABLE pets (
      id ${id},
      name TEXT NOT NULL,
      category_id ${integer} NOT NULL,
      status TEXT
    ) ${options}`,
    'CREATE INDEX pets_by_status ON pets (status, id)',
    `CREATE TABLE imports (
      digest TEXT PRIMARY KEY,
      records ${integer} NOT NULL,
      pets ${integer} NOT NULL,
      finished_at ${integer}
    ) ${options}`,
  ]
}

/** The tables of the animal store. */
export const schema: Schema = {
  migrations: (dialect) => ({
    '0001_pets': createTables(dialect),
  }),
  tables: [
    { name: 'pets', start: { id: 0 } },
    { name: 'imports', start: { digest: '' } },
  ],
}
