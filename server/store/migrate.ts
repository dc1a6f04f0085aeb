/** The steps that bring a database up to date, each the statements that it takes, by name. */
export type Migrations = Readonly<Record<string, () => readonly string[]>>

// The table has the name and the columns that the first releases gave it.
const table = 'kysely_migration'
const columns = 'name VARCHAR(255) PRIMARY KEY NOT NULL, timestamp VARCHAR(255) NOT NULL'

const tooNew =
  'a newer version of the service made it; run that version, or restore a backup from before it'

/** The table in which a database keeps what steps it has taken. */
export const migrationTable = {
  name: table,
  create: `CREATE TABLE ${table} (${columns})`,
  selectNames: `SELECT name FROM ${table}`,
} as const

/**
 * The statements that a database still needs, given the names of the steps that it has taken;
 * undefined where it has no table of them. Throws where it has seen more than this program.
 */
export function statementsFor(
  migrations: Migrations,
  taken: readonly string[] | undefined,
): readonly string[] {
  const unknown = taken?.find((name) => !(name in migrations))
  if (unknown !== undefined) throw new Error(tooNew)
  const steps = Object.keys(migrations).sort()
  const pending = steps.filter((name) => !taken?.includes(name))
  const statements = pending.flatMap((name) => [
    ...(migrations[name]?.() ?? []),
    `INSERT INTO ${table} (name, timestamp) VALUES ('${name}', '${new Date().toISOString()}')`,
  ])
  return taken === undefined ? [migrationTable.create, ...statements] : statements
}
