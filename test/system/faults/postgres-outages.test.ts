import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createPostgresDatabase, databaseAt } from '../../helpers/databases/postgres-database.ts'
import { query } from '../../helpers/databases/postgres-server.ts'
import { startTestService } from '../../helpers/service.ts'
import { createTemporaryFolder } from '../../helpers/temporary-folder.ts'
import { add, isUnavailable, list } from './support/asking.ts'
import { startProxy } from './support/proxy.ts'

async function startBehindProxy(environment: Readonly<Record<string, string>> = {}) {
  const { url } = await createPostgresDatabase()
  const proxy = await startProxy(url)
  const service = await startTestService(environment, databaseAt(proxy.url))
  await list(service)
  return { url, proxy, service }
}

test('a database that stalls is 503 for every request, however many wait for one connection', async () => {
  const { proxy, service } = await startBehindProxy({ DATABASE_POOL_SIZE: '1' })
  expect((await add(service, 'first')).status).toBe(201)
  proxy.behave('swallow')
  const asked = Array.from({ length: 80 }, (_, index) =>
    index % 2 === 0 ? list(service) : add(service, `key ${index}`),
  )
  // One wait for all; one after the other would take longer than a test may.
  for (const response of await Promise.all(asked)) expect(await isUnavailable(response)).toBe(true)
  expect((await service.send('/readyz')).status).toBe(503)
  expect((await service.send('/livez')).status).toBe(200)
  proxy.behave('pass')
  expect((await list(service)).status).toBe(200)
  expect((await service.send('/readyz')).status).toBe(200)
  expect(await (await list(service)).json()).toHaveLength(1)
})

test('the log says why PostgreSQL cannot be reached, and what to do', async () => {
  const { proxy, service } = await startBehindProxy()
  proxy.behave('close')
  await list(service)
  const line =
    /^store unavailable: PostgreSQL gives no connection: .+\. Check that it runs and accepts/
  expect(service.logged).toContainEqual(
    expect.objectContaining({ msg: expect.stringMatching(line) }),
  )
})

test('requests are 503 while the file of sslrootcert cannot be read', async () => {
  const { url } = await createPostgresDatabase()
  const file = join(createTemporaryFolder(), 'ca.pem')
  writeFileSync(file, '')
  const service = await startTestService(
    {},
    databaseAt(`${url}&sslmode=disable&sslrootcert=${file}`),
  )
  rmSync(file)
  // Some of them use the connection that is there.
  const responses = await Promise.all(Array.from({ length: 9 }, () => list(service)))
  expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200, 503]))
})

test('a create whose commit got no response is 503, and its retry is the same animal', async () => {
  const { url, proxy, service } = await startBehindProxy({ DATABASE_POOL_SIZE: '1' })
  expect((await add(service, 'first')).status).toBe(201)
  await list(service)
  proxy.behave('swallow responses')
  expect(await isUnavailable(await add(service, 'second'))).toBe(true)
  proxy.behave('pass')
  expect(await query(url, 'SELECT id FROM animals ORDER BY id')).toHaveLength(2)
  const again = await add(service, 'second')
  expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([201, 'true'])
  expect(await (await list(service)).json()).toHaveLength(2)
})

test('PostgreSQL that is gone and comes back under writes loses and doubles nothing, without a restart of the service', async () => {
  const { proxy, service } = await startBehindProxy()
  const acknowledged: number[] = []
  let rejected = 0
  let isOver = false
  const writers = ['a', 'b', 'c', 'd'].map(async (name) => {
    for (let number = 0; !isOver; ) {
      const response = await add(service, `${name} ${number}`)
      if (response.status === 201) {
        acknowledged.push((await response.json()).id)
        number++
      } else if (await isUnavailable(response)) rejected++
      else throw new Error(`${name} got ${response.status}.`)
    }
  })
  await expect.poll(() => acknowledged.length).toBeGreaterThan(20)
  proxy.behave('close')
  expect(await isUnavailable(await list(service))).toBe(true)
  expect((await service.send('/readyz')).status).toBe(503)
  expect((await service.send('/livez')).status).toBe(200)
  await expect.poll(() => rejected).toBeGreaterThan(20)
  const before = acknowledged.length
  proxy.behave('pass')
  expect((await list(service)).status).toBe(200)
  expect((await service.send('/readyz')).status).toBe(200)
  await expect.poll(() => acknowledged.length).toBeGreaterThan(before + 20)
  isOver = true
  await Promise.all(writers)
  const kept: number[] = []
  for await (const { id } of service.client.listPets({ limit: 100 })) kept.push(id)
  expect(kept).toEqual(acknowledged.toSorted((a, b) => a - b))
})
