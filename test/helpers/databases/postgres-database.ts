import { randomUUID } from 'node:crypto'
import { Client } from 'pg'
import { TestRunner } from 'vitest'
import { callOnce } from '../call-once.ts'
import { atFileEnd } from '../file-end.ts'
import type { TestDatabase } from './test-database.ts'

/** Opens a connection, which the caller closes. */
export async function connect(url: string): Promise<Client> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5_000 })
  client.on('error', () => undefined)
  await client.connect()
  return client
}

/** Returns a database that exists. */
export function databaseAt(url: string): TestDatabase {
  return {
    url,
    async execute(sql) {
      const client = await connect(url)
      const result = client.query<Record<string, unknown>>(sql).finally(() => client.end())
      return (await result).rows
    },
    async blockWriters(table) {
      const client = await connect(url)
      await client.query(`BEGIN; LOCK TABLE ${table} IN EXCLUSIVE MODE`)
      return () => client.end()
    },
  }
}

/** The server on which the tests create databases. */
const server = databaseAt(
  process.env['TEST_POSTGRES_URL'] || 'postgres://postgres@127.0.0.1:5432/test',
)

/** Resolves with undefined where there is no PostgreSQL. */
const askServer = callOnce(() => server.execute('SELECT 1').catch(() => undefined))

// One for each test file, with a schema for each test: creating and dropping one takes a fifth of a second.
let database: Promise<string> | undefined
let schemas = 0

/** Creates the database of a test file, which is dropped after its tests; returns its name. */
async function createDatabase(): Promise<string> {
  const name = `test_${randomUUID().replaceAll('-', '')}`
  await server.execute(`CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'UTF8'`)
  atFileEnd(async () => {
    database = undefined
    await server.execute(`DROP DATABASE ${name} WITH (FORCE)`)
  })
  return name
}

/** Creates a database in a schema of its own; skips the test where there is no PostgreSQL. */
export async function createPostgresDatabase(): Promise<TestDatabase> {
  const url = new URL(server.url)
  if ((await askServer()) === undefined) {
    const missing = `there is no PostgreSQL at ${url.host}${url.pathname}`
    const { context } = TestRunner.getCurrentTest() ?? {}
    context?.skip(`${missing}; TEST_POSTGRES_URL may name another`)
  }
  database ??= createDatabase()
  url.pathname = await database
  const schema = `schema_${++schemas}`
  await databaseAt(url.href).execute(`CREATE SCHEMA ${schema}`)
  url.searchParams.set('options', `-csearch_path=${schema}`)
  return databaseAt(url.href)
}
