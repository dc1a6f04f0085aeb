import {
  type CreatedTable,
  createKeyTable,
  tablesToCopy,
} from '../../server/store/idempotent-create.ts'
import type { Schema } from '../../server/store/schema.ts'

/** The table of the tools, each of which is kept as JSON. */
export const tools: CreatedTable = {
  name: 'tools',
  columns: { document: 'text' },
  idempotencyKeys: { table: 'tool_keys', idColumn: 'tool_id' },
}

/** The tables of the fixture API. */
export const fixtureSchema: Schema = {
  migrations: (dialect) => ({
    '0001_tools': [
      `CREATE TABLE tools (id ${dialect.types.id}, document TEXT NOT NULL) ${dialect.types.options}`,
      ...createKeyTable(dialect, tools),
    ],
  }),
  tables: tablesToCopy(tools),
}
