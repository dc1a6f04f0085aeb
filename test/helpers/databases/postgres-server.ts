import { randomUUID } from 'node:crypto'
import { Client } from 'pg'
import { afterAll, TestRunner } from 'vitest'

/** The server on which the tests create databases. */
const serverUrl = process.env['TEST_POSTGRES_URL'] || 'postgres://postgres@127.0.0.1:5432/test'

/** The reason why tests cannot use PostgreSQL; undefined if they can. */
export const whyNoPostgres = await findProblem()

async function findProblem(): Promise<string | undefined> {
  try {
    await query(serverUrl, 'SELECT 1')
    return undefined
  } catch {
    const { host, pathname } = new URL(serverUrl)
    return `there is no PostgreSQL at ${host}${pathname}; TEST_POSTGRES_URL may name another`
  }
}

/** Runs a statement on a connection of its own. */
export async function query(url: string, sql: string, values: unknown[] = []) {
  const client = await connect(url)
  try {
    const { rows } = await client.query<Record<string, unknown>>(sql, values)
    return rows
  } finally {
    await client.end()
  }
}

/** Opens a connection, which the caller closes. */
export async function connect(url: string): Promise<Client> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5_000 })
  client.on('error', () => undefined)
  await client.connect()
  return client
}

let database: Promise<string> | undefined
let schemas = 0

// One for each test file: creating and dropping one takes a fifth of a second.
async function createDatabase(): Promise<string> {
  const name = `test_${randomUUID().replaceAll('-', '')}`
  await query(serverUrl, `CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'UTF8'`)
  const url = new URL(serverUrl)
  url.pathname = name
  return url.href
}

afterAll(async () => {
  if (database === undefined) return
  const name = new URL(await database).pathname.slice(1)
  await query(serverUrl, `DROP DATABASE ${name} WITH (FORCE)`)
})

/** Creates a schema in the database of the test file, and returns its URL. */
export async function createSchema(): Promise<string> {
  if (whyNoPostgres !== undefined) TestRunner.getCurrentTest()?.context.skip(whyNoPostgres)
  database ??= createDatabase()
  const url = new URL(await database)
  const schema = `schema_${++schemas}`
  await query(url.href, `CREATE SCHEMA ${schema}`)
  url.searchParams.set('options', `-csearch_path=${schema}`)
  return url.href
}
