import { setTimeout as wait } from 'node:timers/promises'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { issueKey } from '../../server/access/issue.ts'
import { openStore } from '../../server/store/open-store.ts'
import { StoreUnavailable } from '../../server/store/store-unavailable.ts'
import { openAt, type Place } from '../support/places/place.ts'
import { createPostgresPlace } from '../support/places/postgres-place.ts'
import { connect, query, whyNoPostgres } from '../support/places/postgres-server.ts'
import { planTerms, startTestService, type TestService } from '../support/service.ts'
import { add, isUnavailable, list } from './support/asking.ts'
import { endBackends, endWaitingBackend } from './support/backends.ts'
import { lockAnimals } from './support/locked-animals.ts'

interface Started {
  readonly service: TestService
  readonly place: Place
}

async function start(): Promise<Started> {
  const place = await createPostgresPlace()
  return { place, service: await startTestService({}, place) }
}

beforeEach(({ skip }) => skip(whyNoPostgres !== undefined, whyNoPostgres))

const newKey = () =>
  issueKey({ ...planTerms('free'), name: undefined, expiresAt: undefined }).record

test('a backend that is ended while it is idle is replaced, and no reader notices', async () => {
  const { service, place } = await start()
  const readAll = () => Promise.all(Array.from({ length: 20 }, () => list(service)))
  for (let turn = 0; turn < 5; turn++) {
    await readAll()
    expect(await endBackends(place.url)).toBeGreaterThan(1)
    expect((await readAll()).map(({ status }) => status)).toEqual(Array(20).fill(200))
  }
  expect((await add(service, 'a')).status).toBe(201)
})

test('a backend that is ended in a read costs that read a second try, and a second one 503', async () => {
  const { service, place } = await start()
  await list(service)
  for (const endings of [1, 2]) {
    const lock = await lockAnimals(place)
    const reading = list(service)
    for (let ending = 0; ending < endings; ending++) await endWaitingBackend(place.url)
    await lock.end()
    const response = await reading
    if (endings === 1) expect(response.status).toBe(200)
    else expect(await isUnavailable(response)).toBe(true)
  }
  expect((await list(service)).status).toBe(200)
})

test('a backend that is ended in a write is 503, the write is not sent again, and its key adds one animal', async () => {
  const { service, place } = await start()
  await list(service)
  const lock = await lockAnimals(place)
  const adding = add(service, 'a')
  await endWaitingBackend(place.url)
  // From here on a second try would succeed.
  await lock.end()
  expect(await isUnavailable(await adding)).toBe(true)
  expect(await query(place.url, 'SELECT id FROM animals')).toEqual([])
  const again = await add(service, 'a')
  expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([201, null])
  expect(await (await list(service)).json()).toHaveLength(1)
})

test('a backend that is ended in a transaction takes all of it back', async () => {
  const { service, place } = await start()
  const { keys } = service.store
  const [old, successor] = [newKey(), newKey()]
  await keys.add(old)
  const lock = await connect(place.url)
  await lock.query('BEGIN')
  await lock.query('SELECT id FROM api_keys WHERE id = $1 FOR UPDATE', [old.id])
  const replacing = keys.replace(old.id, 1234, successor).catch((error: unknown) => error)
  await endWaitingBackend(place.url)
  expect(await replacing).toMatchObject({ name: 'StoreUnavailable' })
  await lock.end()
  expect(await keys.find(successor.id)).toBeUndefined()
  expect((await keys.find(old.id))?.expiresAt).toBeUndefined()
  await keys.replace(old.id, 1234, successor)
  expect((await keys.find(old.id))?.replacedBy).toBe(successor.id)
})

test('bulk work may take longer than a request, which gives up on a slow statement', async () => {
  const place = await createPostgresPlace()
  const hasty = await openAt(place)
  const patient = await openStore(place.url, { patience: 30_000 })
  onTestFinished(patient.close)
  const client = await connect(place.url)
  await client.query(`
    CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS
      'BEGIN PERFORM pg_sleep(2); RETURN NEW; END';
    CREATE TRIGGER slow BEFORE INSERT ON imports FOR EACH ROW EXECUTE FUNCTION slow()`)
  await client.end()
  await expect(hasty.imports.begin('a')).rejects.toThrow(StoreUnavailable)
  expect(await patient.imports.begin('a')).toMatchObject({ records: 0 })
})

// https://www.postgresql.org/docs/current/errcodes-appendix.html: all of class 08.
test.for(['08000', '08001', '08003', '08004', '08006', '08P01'])(
  'a create that ends with %s is 503, as a connection that is lost is',
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

test('an instance whose connections are all busy is ready, without waiting for one of them', async () => {
  const place = await createPostgresPlace()
  const service = await startTestService({ DATABASE_POOL_SIZE: '1' }, place)
  await list(service)
  const unblock = await place.blockWriters()
  const creates = Array.from({ length: 10 }, (_, index) => add(service, `key ${index}`))
  const firstCreate = Promise.race(creates).then(() => 'a create was first')
  // So that they have come.
  await wait(200)
  const readiness = service.send('/readyz').then(({ status }) => status)
  expect(await Promise.race([readiness, firstCreate])).toBe(200)
  await unblock()
  await Promise.all(creates)
})
