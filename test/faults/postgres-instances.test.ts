import { beforeEach, expect, test, vi } from 'vitest'
import { makeFirstKey } from '../../server/first-key.ts'
import { engines } from '../support/places/engines.ts'
import { openAt } from '../support/places/place.ts'
import { createPostgresPlace } from '../support/places/postgres-place.ts'
import { connect, query, whyNoPostgres } from '../support/places/postgres-server.ts'
import { startTestService } from '../support/service.ts'
import { add, list } from './support/asking.ts'

beforeEach(({ skip }) => skip(whyNoPostgres !== undefined, whyNoPostgres))

test('while another instance uses an idempotency key it is 409, and free when that one fails', async () => {
  const place = await createPostgresPlace()
  const service = await startTestService({}, place)
  const [key] = await service.store.keys.list()
  const other = await connect(place.url)
  await other.query('BEGIN')
  const row = [key?.id, 'a', 'fingerprint', 1, Date.now() + 60_000]
  await other.query('INSERT INTO idempotency_keys VALUES ($1, $2, $3, $4, $5)', row)
  const refused = await add(service, 'a')
  expect(refused.status).toBe(409)
  expect(refused.headers.get('retry-after')).toBe('1')
  expect((await add(service, 'b')).status).toBe(201)
  await other.end()
  expect((await add(service, 'a')).status).toBe(201)
})

test('fifty creates at once under one key, through three instances, are one animal', async () => {
  const place = await createPostgresPlace()
  const services = await Promise.all([1, 2, 3].map(() => startTestService({}, place)))
  const apiKey = services[0]?.apiKey ?? ''
  const doors = services.map((service) => ({ ...service, apiKey }))
  const asked = Array.from({ length: 17 }, () => doors.map((door) => add(door, 'a'))).flat()
  const answers = await Promise.all(asked)
  const added = answers.filter(({ status }) => status === 201)
  const bodies = new Set(await Promise.all(added.map((answer) => answer.text())))
  expect(bodies.size).toBe(1)
  for (const { status } of answers) expect([201, 409]).toContain(status)
  expect(await query(place.url, 'SELECT id FROM animals')).toHaveLength(1)
})

test('a key that one instance revokes is refused by the others within five seconds', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  vi.advanceTimersByTime(1)
  const place = await createPostgresPlace()
  const [one, other] = [await startTestService({}, place), await startTestService({}, place)]
  const { key, id } = await one.issue()
  const door = { ...other, apiKey: key }
  expect((await list(door)).status).toBe(200)
  // By a machine whose clock is an hour ahead.
  await one.store.keys.revoke(id, Date.now() + 3_600_000)
  vi.advanceTimersByTime(5_000)
  expect((await list(door)).status).toBe(401)
  vi.useRealTimers()
})

test('a key is found though one with a later position was seen before', async () => {
  const place = await createPostgresPlace()
  const [one, other] = [await startTestService({}, place), await startTestService({}, place)]
  const keys = await Promise.all(
    Array.from({ length: 40 }, (_, index) => (index % 2 === 0 ? one : other).issue()),
  )
  const seen = keys.map(({ key }) => list({ ...other, apiKey: key }))
  expect((await Promise.all(seen)).map(({ status }) => status)).toEqual(Array(40).fill(200))
})

test.each(engines)(
  'eight starts at once on a fresh $name make one first key',
  async ({ createPlace }) => {
    const place = await createPlace()
    const stores = await Promise.all(Array.from({ length: 8 }, () => openAt(place)))
    const made = await Promise.all(stores.map(makeFirstKey))
    expect(made.filter((key) => key !== undefined)).toHaveLength(1)
    expect(await stores[0]?.keys.list()).toHaveLength(1)
  },
)
