/** Keeps a store of this version, which later versions must open. `npm run release` runs it. */
import { randomUUID } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { gzipSync } from 'node:zlib'
import { Client } from 'pg'
import packageJson from '../../../package.json' with { type: 'json' }
import { runCommand } from '../../../scripts/pipeline/failure.ts'
import { shortPath } from '../../../scripts/pipeline/project.ts'
import { readServedApi } from '../../../server/served-api.ts'
import { openStore } from '../../../server/store/store.ts'
import { startCommand } from '../../helpers/program.ts'
import {
  fillerFile,
  folderOf,
  readKeptStores,
  type StoreFiller,
  selectMigrations,
} from './kept-stores.ts'

const usage = `usage: npm run keep-store

Writes stores as this version leaves them, on SQLite and PostgreSQL, to test/api/kept-store/VERSION,
if the last one that was kept has other migrations. test/api/kept-store/fill-store.ts fills them.
TEST_POSTGRES_URL names a server on which databases may be created; pg_dump must be on the PATH.`

const { version } = packageJson
const server = process.env['TEST_POSTGRES_URL'] || 'postgres://postgres@127.0.0.1:5432/test'

await runCommand(usage, async () => {
  if (!existsSync(fillerFile)) {
    console.log(`No store is kept: there is no ${shortPath(fillerFile)} to fill one.`)
    return
  }
  const migrations = await readMigrations()
  const last = readKeptStores().at(-1)
  if (last !== undefined && `${last.migrations}` === `${migrations}`) {
    console.log(`The migrations are those of ${last.version}, whose store is kept.`)
    return
  }

  const folder = mkdtempSync(join(tmpdir(), 'kept-store-'))
  process.once('exit', () => rmSync(folder, { recursive: true }))
  const filler: StoreFiller = await import(fillerFile)
  const sqlite = await keepSqlite(folder, filler)
  const postgresql = await keepPostgres(filler)

  const target = folderOf(version)
  await mkdir(target, { recursive: true })
  const files = { ...sqlite.files, ...postgresql.files }
  for (const [name, content] of Object.entries(files)) {
    await writeFile(join(target, `${name}.gz`), gzipSync(content, { level: 9 }))
  }
  const contents = { migrations, sqlite: sqlite.contents, postgresql: postgresql.contents }
  await writeFile(join(target, 'contents.json'), `${JSON.stringify(contents, undefined, 2)}\n`)
  console.log(`The store of ${version} is kept in test/api/kept-store/${version}.`)
})

/** Returns the names of the migrations of this version. */
async function readMigrations(): Promise<readonly string[]> {
  const { database, close } = await openStore('sqlite::memory:', readServedApi().schema)
  const rows = await database.read<{ name: string }>(selectMigrations)
  await close()
  return rows.map(({ name }) => name)
}

async function keepSqlite(folder: string, { fillStore }: StoreFiller) {
  const file = join(folder, 'store.sqlite')
  const execute = async (sql: string) => {
    using database = new DatabaseSync(file, { timeout: 60_000 })
    database.exec(sql)
  }
  const store = { url: `sqlite:${file}`, engine: 'sqlite', execute } as const
  const contents = await fillStore(store)
  const log = `${file}-wal`
  if (!existsSync(log)) {
    throw new Error('The service that was killed has left no write-ahead log.')
  }
  const files = { 'store.sqlite': readFileSync(file), 'store.sqlite-wal': readFileSync(log) }
  return { contents, files }
}

async function keepPostgres({ fillStore }: StoreFiller) {
  const name = `kept_store_${randomUUID().replaceAll('-', '')}`
  await query(server, `CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'UTF8'`)
  try {
    const url = new URL(server)
    url.pathname = name
    const { href } = url
    const execute = (sql: string) => query(href, sql)
    const contents = await fillStore({ url: href, engine: 'postgresql', execute })
    const options = ['--inserts', '--no-owner', '--no-privileges', `--dbname=${href}`]
    const dump = await startCommand('pg_dump', options, { isShared: true }).ended
    if (dump.status !== 0) {
      throw new Error(`pg_dump failed: ${dump.errorOutput}`)
    }
    return { contents, files: { 'postgres.sql': Buffer.from(dump.output) } }
  } finally {
    await query(server, `DROP DATABASE ${name} WITH (FORCE)`)
  }
}

async function query(connectionString: string, sql: string): Promise<void> {
  const client = new Client({ connectionString, connectionTimeoutMillis: 5_000 })
  await client.connect()
  await client.query(sql).finally(() => client.end())
}
