import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createPostgresDatabase } from '../../helpers/databases/postgres-database.ts'
import type { TestDatabase } from '../../helpers/databases/test-database.ts'
import { startFixtureService, tools } from '../../helpers/fixture-service.ts'
import { readMetrics } from '../../helpers/metrics.ts'
import type { TestService } from '../../helpers/service.ts'
import { createTemporaryFolder } from '../../helpers/temporary-folder.ts'
import { storedTools } from '../../helpers/tools.ts'
import { saw } from '../store/support/tools.ts'
import { startProxy } from './support/proxy.ts'

/** Starts a service whose connections to its database, but not those of the test, lead through a proxy. */
async function start(
  environment: Readonly<Record<string, string>> = {},
  options: Pick<TestDatabase, 'timeout'> = {},
) {
  const db = await createPostgresDatabase()
  const proxy = await startProxy(db.url)
  const service = await startFixtureService(environment, { ...db, ...options, url: proxy.url })
  return { db, proxy, service }
}

/** More than a busy machine makes a request wait for the database. */
const longTimeout = { timeout: 60_000 }

/** Adds a tool under an idempotency key. */
function add({ send }: TestService, idempotencyKey: string): Promise<Response> {
  return send(tools, { json: saw, headers: { 'Idempotency-Key': idempotencyKey } })
}

const list = ({ send }: TestService) => send(tools)

async function expectUnavailable(response: Response): Promise<void> {
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1'])
  expect(await response.json()).toMatchObject({ code: 'unavailable' })
}

async function expectReadiness({ send }: TestService, status: number): Promise<void> {
  expect((await send('/readyz')).status).toBe(status)
  expect((await send('/livez')).status).toBe(200)
}

function expectLogged({ logged }: TestService, line: RegExp): void {
  expect(logged).toContainEqual(expect.objectContaining({ msg: expect.stringMatching(line) }))
}

/**
 * Returns a condition that ends the backends of its first evaluations. PostgreSQL does that itself, so
 * no statement is too fast for it.
 */
function endBackends(evaluations: number): string {
  return `nextval('evaluations') > ${evaluations} OR pg_terminate_backend(pg_backend_pid(), 60000)`
}

test('a database that stalls is 503 for every request, however many wait for one connection', async () => {
  const { proxy, service } = await start({ DATABASE_POOL_SIZE: '1' })
  expect((await add(service, 'first')).status).toBe(201)
  proxy.behave('swallow')
  const asked = Array.from({ length: 40 }, (_, index) => [
    list(service),
    add(service, `key ${index}`),
  ])
  // One wait for all; one after the other would take longer than a test may.
  for (const response of await Promise.all(asked.flat())) {
    await expectUnavailable(response)
  }
  await expectReadiness(service, 503)
  proxy.behave('pass')
  expect(await (await list(service)).json()).toHaveLength(1)
  await expectReadiness(service, 200)
})

test('requests are 503 while the file of sslrootcert cannot be read', async () => {
  const file = join(createTemporaryFolder(), 'ca.pem')
  writeFileSync(file, '')
  const db = await createPostgresDatabase()
  const url = `${db.url}&sslmode=disable&sslrootcert=${file}`
  const service = await startFixtureService({}, { ...db, url })
  rmSync(file)
  // Some of them use the connection that is there.
  const responses = await Promise.all(Array.from({ length: 9 }, () => list(service)))
  expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200, 503]))
})

test('a create whose commit got no response is 503, and its retry is the same tool', async () => {
  const { db, proxy, service } = await start({ DATABASE_POOL_SIZE: '1' })
  expect((await add(service, 'first')).status).toBe(201)
  // The deletion of expired keys does not hold the connection any more.
  await list(service)
  proxy.behave('swallow responses')
  await expectUnavailable(await add(service, 'second'))
  proxy.behave('pass')
  expect(await db.execute('SELECT id FROM tools')).toHaveLength(2)
  const again = await add(service, 'second')
  expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([201, 'true'])
  expect(await (await list(service)).json()).toHaveLength(2)
})

test('PostgreSQL that is gone and comes back under writes loses and doubles nothing, without a restart of the service; the log says why it is gone, and what to do', async () => {
  const { db, proxy, service } = await start()
  proxy.behave('close')
  await expectUnavailable(await list(service))
  expectLogged(
    service,
    /^store unavailable: PostgreSQL gives no connection: .+\. Check that it runs and accepts/,
  )
  const acknowledged: number[] = []
  let rejected = 0
  let isOver = false
  const create = async (key: string): Promise<number> => {
    const response = await add(service, key)
    if (response.status === 201) {
      const { id }: { readonly id: number } = await response.json()
      return id
    }
    await expectUnavailable(response)
    rejected++
    return create(key)
  }
  const writers = ['a', 'b', 'c', 'd'].map(async (name) => {
    for (let number = 0; !isOver; number++) {
      acknowledged.push(await create(`${name} ${number}`))
    }
  })
  for (let round = 0; round < 2; round++) {
    const [before, rejectedBefore] = [acknowledged.length, rejected]
    proxy.behave('pass')
    await expect.poll(() => acknowledged.length).toBeGreaterThan(before + 20)
    await expectReadiness(service, 200)
    proxy.behave('close')
    await expect.poll(() => rejected).toBeGreaterThan(rejectedBefore + 20)
    await expectReadiness(service, 503)
  }
  proxy.behave('pass')
  isOver = true
  await Promise.all(writers)
  const kept = (await storedTools(db)).map(({ id }) => id)
  expect(kept).toEqual(acknowledged.toSorted((a, b) => a - b))
})

test('creates are 503 while the database is read-only, and no longer', async () => {
  const { service, db } = await start({ DATABASE_POOL_SIZE: '1' }, longTimeout)
  const set = `ALTER DATABASE ${new URL(db.url).pathname.slice(1)} SET default_transaction_read_only`
  await db.execute(`${set} = on`)
  // Sessions that are open keep their setting.
  await db.execute(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE datname = current_database() AND pid <> pg_backend_pid()`,
  )
  await expect.poll(async () => (await add(service, 'a')).status).toBe(503)
  await db.execute(`SET TRANSACTION READ WRITE; ${set} = off`)
  await expect.poll(async () => (await add(service, 'b')).status).toBe(201)
})

test.for([
  ['once', 200, 1],
  ['twice', 503, 2],
] as const)('a read whose backend is ended %s is %s', async ([, status, endings]) => {
  const { service, db } = await start({}, longTimeout)
  await add(service, 'a')
  await db.execute(
    `CREATE SEQUENCE evaluations; ALTER TABLE tools RENAME TO kept;
     CREATE VIEW tools AS SELECT * FROM kept WHERE ${endBackends(endings)}`,
  )
  const response = await list(service)
  if (status === 503) {
    await expectUnavailable(response)
  } else {
    expect(response.status).toBe(status)
  }
  expect((await list(service)).status).toBe(200)
})

test('a create whose backend is ended is 503, is not sent again, and its idempotency key adds one tool', async () => {
  const { service, db } = await start({}, longTimeout)
  // A second try would succeed.
  await db.execute(
    `CREATE SEQUENCE evaluations; ALTER TABLE tools ADD CHECK (${endBackends(1)}) NOT VALID`,
  )
  await expectUnavailable(await add(service, 'a'))
  expectLogged(service, /^store unavailable: PostgreSQL did not respond: .+\. Check that it runs/)
  expect(await db.execute('SELECT id FROM tools')).toEqual([])
  const again = await add(service, 'a')
  expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([201, null])
  expect(await (await list(service)).json()).toHaveLength(1)
})

test('creates are 503 while statements are slow, and the log says where to look', async () => {
  const { service, db } = await start()
  await db.execute('ALTER TABLE tools ADD CHECK (pg_sleep(2) IS NOT NULL) NOT VALID')
  await expectUnavailable(await add(service, 'a'))
  expectLogged(
    service,
    /^store unavailable: PostgreSQL cannot respond: .+ timeout\. Check its log; docs\//,
  )
})

test('/readyz is 200 while every connection of the pool is busy, which the metrics show', async () => {
  const { db, service } = await start({ DATABASE_POOL_SIZE: '1', OPS_PORT: '0' }, longTimeout)
  const connections = async () => {
    const series = await readMetrics(service)
    const names = ['s_max', 's{state="busy"}', 's{state="idle"}']
    const counts = names.map((name) => series.get(`api_database_connection${name}`))
    return [...counts, series.get('api_database_waiting')]
  }
  await list(service)
  await expect.poll(connections).toEqual([1, 0, 1, 0])
  const unblock = await db.blockWriters('tools')
  const creates = Array.from({ length: 9 }, (_, index) => add(service, `key ${index}`))
  await expect.poll(connections).toEqual([1, 1, 0, 8])
  await expectReadiness(service, 200)
  await unblock()
  expect((await Promise.all(creates)).map(({ status }) => status)).toEqual(Array(9).fill(201))
})
