import { setTimeout as wait } from 'node:timers/promises'
import { beforeEach, expect, test } from 'vitest'
import { createPostgresPlace, placeAt } from '../support/places/postgres-place.ts'
import { query, whyNoPostgres } from '../support/places/postgres-server.ts'
import { startTestService } from '../support/service.ts'
import { add, isUnavailable, list, longestWait } from './support/asking.ts'
import { startStallingProxy } from './support/stalling-proxy.ts'

beforeEach(({ skip }) => skip(whyNoPostgres !== undefined, whyNoPostgres))

async function startBehindProxy(environment: Readonly<Record<string, string>> = {}) {
  const { url } = await createPostgresPlace()
  const proxy = await startStallingProxy(url)
  const service = await startTestService(environment, placeAt(proxy.url))
  await list(service)
  return { url, proxy, service }
}

test('a database that stalls is 503 for everybody in time, however many wait for few connections', async () => {
  const { proxy, service } = await startBehindProxy({ DATABASE_POOL_SIZE: '2' })
  expect((await add(service, 'first')).status).toBe(201)
  proxy.stall('requests')
  const asked = Array.from({ length: 20 }, (_, index) =>
    index % 2 === 0 ? list(service) : add(service, `key ${index}`),
  )
  // What a caller would do who gives up: the answers have to be there before.
  const givingUp = wait(longestWait, 'given up' as const)
  const answers = await Promise.race([Promise.all(asked), givingUp])
  if (answers === 'given up') throw new Error('A caller gave up before everybody was answered.')
  for (const response of answers) expect(await isUnavailable(response)).toBe(true)
  expect((await service.send('/readyz')).status).toBe(503)
  expect((await service.send('/livez')).status).toBe(200)
  proxy.resume()
  expect((await list(service)).status).toBe(200)
  expect((await service.send('/readyz')).status).toBe(200)
  expect(await (await list(service)).json()).toHaveLength(1)
})

test('a create whose commit was not heard of is 503, and its repetition is the same animal', async () => {
  const { url, proxy, service } = await startBehindProxy({ DATABASE_POOL_SIZE: '1' })
  expect((await add(service, 'first')).status).toBe(201)
  await list(service)
  proxy.stall('answers')
  expect(await isUnavailable(await add(service, 'second'))).toBe(true)
  proxy.resume()
  expect(await query(url, 'SELECT id FROM animals ORDER BY id')).toHaveLength(2)
  const again = await add(service, 'second')
  expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([201, 'true'])
  expect(await (await list(service)).json()).toHaveLength(2)
})
