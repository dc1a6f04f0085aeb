import type { Schema as Contract } from '../contract/handler.ts'
import type { ColumnType, Dialect } from '../store/engine.ts'
import { type CreatedTable, createKeyTable, tablesToCopy } from '../store/idempotent-create.ts'
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
export const animals: CreatedTable = {
  name: 'animals',
  columns: Object.fromEntries(Object.values(petColumns)),
  idempotencyKeys: { table: 'idempotency_keys', idColumn: 'animal_id' },
}

const createImports = ({ types: { integer, options } }: Dialect) => `CREATE TABLE imports (
  digest TEXT PRIMARY KEY,
  records ${integer} NOT NULL,
  animals ${integer} NOT NULL,
  finished_at ${integer}
) ${options}`

/** The tables of the animal store. */
export const schema: Schema = {
  migrations: (dialect) => {
    const { id, integer, options } = dialect.types
    return {
      '0001_animals_and_keys': [
        // No CHECK repeats the values of `status`, which the contract defines.
        `CREATE TABLE animals (
          id ${id},
          name TEXT NOT NULL,
          category_id ${integer} NOT NULL,
          status TEXT
        ) ${options}`,
        'CREATE INDEX animals_by_status ON animals (status, id)',
        ...createKeyTable(dialect, animals),
      ],
      '0003_imports': [createImports(dialect)],
    }
  },
  tables: [...tablesToCopy(animals), { name: 'imports', start: { digest: '' } }],
  // In version 1.0.0 these were migrations of the animals.
  migrationNames: {
    '0000_api_keys': '0001_animals_and_keys',
    '0000_key_usage': '0002_key_usage',
  },
}
