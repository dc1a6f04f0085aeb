import { beforeEach, expect, test } from 'vitest'
import { createKeysCommandAt } from '../../helpers/keys-command.ts'
import { createPostgresPlace } from '../../helpers/places/postgres-place.ts'
import { query, whyNoPostgres } from '../../helpers/places/postgres-server.ts'
import { startTestService } from '../../helpers/service.ts'
import { runImport, writeTable } from '../bulk/files.ts'
import { add, isUnavailable, list } from './support/asking.ts'
import { endBackendAt, endBackends } from './support/backends.ts'

beforeEach(({ skip }) => skip(whyNoPostgres !== undefined, whyNoPostgres))

/** Milliseconds that a request may wait for the database: more than a busy machine makes it wait. */
const patience = 60_000

async function start() {
  const place = { ...(await createPostgresPlace()), patience }
  return { place, service: await startTestService({}, place) }
}

test('a backend that is ended while idle is replaced, and every read is 200', async () => {
  const { service, place } = await start()
  const readAll = () => Promise.all(Array.from({ length: 20 }, () => list(service)))
  for (let turn = 0; turn < 5; turn++) {
    await readAll()
    expect(await endBackends(place.url)).toBeGreaterThan(1)
    expect((await readAll()).map(({ status }) => status)).toEqual(Array(20).fill(200))
  }
  expect((await add(service, 'a')).status).toBe(201)
})

test.for([
  ['once', 200, [1]],
  ['twice', 503, [1, 2]],
] as const)('a read whose backend is ended %s is %s', async ([, status, endings]) => {
  const { service, place } = await start()
  await add(service, 'a')
  await endBackendAt(place.url, 'SELECT', 'animals', endings)
  const response = await list(service)
  expect(response.status).toBe(status)
  if (status === 503) expect(await isUnavailable(response)).toBe(true)
  expect((await list(service)).status).toBe(200)
})

test('a create whose backend is ended is 503, is not sent again, and its idempotency key adds one animal', async () => {
  const { service, place } = await start()
  // A second try would succeed.
  await endBackendAt(place.url, 'INSERT', 'animals', [1])
  expect(await isUnavailable(await add(service, 'a'))).toBe(true)
  expect(await query(place.url, 'SELECT id FROM animals')).toEqual([])
  const again = await add(service, 'a')
  expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([201, null])
  expect(await (await list(service)).json()).toHaveLength(1)
})

test('a backend that is ended in a transaction of rotate API key takes all of it back', async () => {
  const { url } = await createPostgresPlace()
  const keys = createKeysCommandAt(url)
  const { id } = await keys.make('issue', '--plan', 'free')
  const before = await keys.list()
  // One of the two keys is written by then.
  await endBackendAt(url, 'INSERT OR UPDATE', 'api_keys', [2])
  expect(await keys.run('rotate', id)).toMatchObject({ status: 1, output: '' })
  expect(await keys.list()).toEqual(before)
  const successor = await keys.make('rotate', id)
  expect((await keys.list()).map((key) => key.id)).toEqual([id, successor.id])
})

test('import may take longer than a request, which is 503 while statements are slow', async () => {
  const place = await createPostgresPlace()
  const service = await startTestService({}, place)
  await query(
    place.url,
    `CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS
       'BEGIN PERFORM pg_sleep(3); RETURN NEW; END';
     CREATE TRIGGER slow BEFORE INSERT ON animals FOR EACH STATEMENT EXECUTE FUNCTION slow()`,
  )
  expect(await isUnavailable(await add(service, 'a'))).toBe(true)
  expect(await runImport(place, writeTable(['Rex']))).toMatchObject({ status: 0 })
  expect(await query(place.url, 'SELECT name FROM animals')).toEqual([{ name: 'Rex' }])
})

// https://www.postgresql.org/docs/current/errcodes-appendix.html: all of class 08.
test.for(['08000', '08001', '08003', '08004', '08006', '08P01'])(
  'a create that fails with SQLSTATE %s is 503, like a lost connection',
  async (code) => {
    const { service, place } = await start()
    await query(
      place.url,
      `CREATE FUNCTION break_off() RETURNS trigger LANGUAGE plpgsql AS
       $$ BEGIN RAISE EXCEPTION 'It broke.' USING ERRCODE = '${code}'; END $$`,
    )
    await query(
      place.url,
      'CREATE TRIGGER break_off BEFORE INSERT ON animals EXECUTE FUNCTION break_off()',
    )
    expect(await isUnavailable(await add(service, 'a'))).toBe(true)
  },
)

test('/readyz is 200 while every connection of the pool is busy', async () => {
  const place = { ...(await createPostgresPlace()), patience }
  const service = await startTestService({ DATABASE_POOL_SIZE: '1' }, place)
  await list(service)
  const unblock = await place.blockWriters()
  let isHeld = true
  const first = add(service, 'first').finally(() => {
    isHeld = false
  })
  const waiting =
    "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
  await expect.poll(() => query(place.url, waiting), { timeout: patience }).not.toEqual([])
  const others = Array.from({ length: 9 }, (_, index) => add(service, `key ${index}`))
  expect((await service.send('/readyz')).status).toBe(200)
  expect(isHeld).toBe(true)
  await unblock()
  expect((await first).status).toBe(201)
  await Promise.all(others)
})
