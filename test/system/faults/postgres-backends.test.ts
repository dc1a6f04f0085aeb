import { expect, test } from 'vitest'
import { createPostgresDatabase } from '../../helpers/databases/postgres-database.ts'
import { query } from '../../helpers/databases/postgres-server.ts'
import { runScript } from '../../helpers/npm-script.ts'
import { startTestService } from '../../helpers/service.ts'
import { readMetrics } from '../../platform/ops/support/metrics.ts'
import { writeTable } from '../bulk/files.ts'
import { add, isUnavailable, list } from './support/asking.ts'

/** Milliseconds that a request may wait for the database: more than a busy machine makes it wait. */
const timeout = 60_000

async function start(environment: Readonly<Record<string, string>> = {}) {
  const db = { ...(await createPostgresDatabase()), timeout }
  return { db, service: await startTestService(environment, db) }
}

/**
 * Lets the table of the animals end the backend that accesses a row of it: at the accesses with
 * these numbers, counted from now on. PostgreSQL does that itself, so no access is too fast for it.
 */
async function endBackendAt(
  url: string,
  access: 'SELECT' | 'INSERT',
  numbers: readonly number[],
): Promise<void> {
  await query(
    url,
    `CREATE SEQUENCE accesses;
     CREATE FUNCTION end_backend() RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN
       IF nextval('accesses') IN (${numbers.join()}) THEN
         PERFORM pg_terminate_backend(pg_backend_pid());
         PERFORM pg_sleep(60);
       END IF;
       RETURN true;
     END $$`,
  )
  if (access === 'INSERT') return beforeInserts(url, 'PERFORM end_backend()')
  const view = 'CREATE VIEW animals AS SELECT * FROM animals_kept WHERE end_backend()'
  await query(url, `ALTER TABLE animals RENAME TO animals_kept; ${view}`)
}

/** Lets every insert of animals run PL/pgSQL before it. */
async function beforeInserts(url: string, body: string): Promise<void> {
  await query(
    url,
    `CREATE FUNCTION before_insert() RETURNS trigger LANGUAGE plpgsql AS
       $$ BEGIN ${body}; RETURN NEW; END $$;
     CREATE TRIGGER before_insert BEFORE INSERT ON animals
       FOR EACH STATEMENT EXECUTE FUNCTION before_insert()`,
  )
}

test('creates are 503 while the database is read-only, and no longer', async () => {
  const { service, db } = await start({ DATABASE_POOL_SIZE: '1' })
  const set = `ALTER DATABASE ${new URL(db.url).pathname.slice(1)} SET default_transaction_read_only`
  await query(db.url, `${set} = on`)
  // Sessions that are open keep their setting.
  await query(
    db.url,
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE datname = current_database() AND pid <> pg_backend_pid()`,
  )
  await expect.poll(async () => (await add(service, 'a')).status).toBe(503)
  await query(db.url, `SET TRANSACTION READ WRITE; ${set} = off`)
  await expect.poll(async () => (await add(service, 'b')).status).toBe(201)
})

test.for([
  ['once', 200, [1]],
  ['twice', 503, [1, 2]],
] as const)('a read whose backend is ended %s is %s', async ([, status, endings]) => {
  const { service, db } = await start()
  await add(service, 'a')
  await endBackendAt(db.url, 'SELECT', endings)
  const response = await list(service)
  expect(response.status).toBe(status)
  if (status === 503) expect(await isUnavailable(response)).toBe(true)
  expect((await list(service)).status).toBe(200)
})

test('a create whose backend is ended is 503, is not sent again, and its idempotency key adds one animal', async () => {
  const { service, db } = await start()
  // A second try would succeed.
  await endBackendAt(db.url, 'INSERT', [1])
  expect(await isUnavailable(await add(service, 'a'))).toBe(true)
  const line = /^store unavailable: The connection to PostgreSQL was lost: .+\. Check that it runs/
  expect(service.logged).toContainEqual(
    expect.objectContaining({ msg: expect.stringMatching(line) }),
  )
  expect(await query(db.url, 'SELECT id FROM animals')).toEqual([])
  const again = await add(service, 'a')
  expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([201, null])
  expect(await (await list(service)).json()).toHaveLength(1)
})

test('import may take longer than a request, which is 503 while statements are slow', async () => {
  const db = await createPostgresDatabase()
  const service = await startTestService({}, db)
  await beforeInserts(db.url, 'PERFORM pg_sleep(2)')
  const [response, ended] = await Promise.all([
    add(service, 'a'),
    runScript(db, 'import', writeTable(['Rex'])),
  ])
  expect(await isUnavailable(response)).toBe(true)
  const line = /^store unavailable: PostgreSQL cannot respond: .+ timeout\. Check its log; docs\//
  expect(service.logged).toContainEqual(
    expect.objectContaining({ msg: expect.stringMatching(line) }),
  )
  expect(ended).toMatchObject({ status: 0 })
  expect(await query(db.url, 'SELECT name FROM animals')).toEqual([{ name: 'Rex' }])
})

test('/readyz is 200 while every connection of the pool is busy, which the metrics show', async () => {
  const { db, service } = await start({ DATABASE_POOL_SIZE: '1', OPS_PORT: '0' })
  const connections = async () => {
    const series = await readMetrics(service)
    const of = (name: string) => series.get(`animal_store_database_${name}`)
    const [busy, idle] = [of('connections{state="busy"}'), of('connections{state="idle"}')]
    return { most: of('connections_max'), busy, idle, waiting: of('waiting') }
  }
  await list(service)
  await expect.poll(connections).toEqual({ most: 1, busy: 0, idle: 1, waiting: 0 })
  const unblock = await db.blockWriters('animals')
  const creates = Array.from({ length: 9 }, (_, index) => add(service, `key ${index}`))
  await expect.poll(connections).toEqual({ most: 1, busy: 1, idle: 0, waiting: 8 })
  expect((await service.send('/readyz')).status).toBe(200)
  expect(await connections()).toMatchObject({ busy: 1 })
  await unblock()
  expect((await Promise.all(creates)).map(({ status }) => status)).toEqual(Array(9).fill(201))
})
