import { expect, test } from 'vitest'
import { fixtureApi } from '../../fixture-api/fixture-api.ts'
import { createUsualDatabase, openAt } from '../../helpers/databases/test-database.ts'
import { startFixtureService, tools } from '../../helpers/fixture-service.ts'

// What holds in both databases: `postgres.test.ts` runs these tests once more.

test('calls of operations are added up by key, operation and day, and kept for 90 days', async () => {
  const db = await createUsualDatabase()
  const [one, two] = [await openAt(db, fixtureApi), await openAt(db, fixtureApi)]
  const call = (keyId: string, operationId: string, day: number, requests: number) => {
    return { keyId, operationId, day, requests }
  }
  const [today, yesterday, oldest] = [20_000, 19_999, 19_911]
  expect(await one.usage.firstDay()).toBeUndefined()
  await one.usage.addCalls(
    [call('key_a', 'x', oldest, 1), call('key_a', 'x', oldest - 1, 1)],
    oldest,
  )
  // Instances count for the same key, and the same row in another order.
  const pairs = ['key_a', 'key_b'].flatMap((key) => [
    call(key, 'x', today, 2),
    call(key, 'y', today, 3),
  ])
  await Promise.all(
    [one, two].flatMap(({ usage }) => [
      usage.addCalls(pairs, today),
      usage.addCalls([...pairs.toReversed(), call('key_b', 'x', yesterday, 1)], today),
    ]),
  )
  expect(await two.usage.listCalls(0)).toEqual([
    call('key_a', 'x', oldest, 1),
    call('key_a', 'x', today, 8),
    call('key_a', 'y', today, 12),
    call('key_b', 'x', yesterday, 2),
    call('key_b', 'x', today, 8),
    call('key_b', 'y', today, 12),
  ])
  expect(await two.usage.listCalls(today)).toHaveLength(4)
  expect(await two.usage.firstDay()).toBe(oldest)
})

test('a call of an operation counts for its key whatever the response, and other requests do not', async () => {
  const service = await startFixtureService()
  const { send, apiKey, store } = service
  const limited = await service.issue({ perMinute: 1 })
  for (const key of [apiKey, limited.key, limited.key, '', 'wrong']) {
    await send(tools, { key })
  }
  await send(`${tools}?limit=none`)
  await send(tools, { method: 'HEAD' })
  await send(`${tools}/1`)
  await send(tools, { method: 'OPTIONS' })
  await send(tools, { method: 'PUT' })
  await send(`${tools}/none/none`)
  const statuses = service.requestLines.map(({ status }) => status)
  expect(statuses).toEqual([200, 200, 429, 401, 401, 400, 200, 404, 204, 405, 404])
  const [own] = await store.keys.list()
  // What was counted is written when the service stops; the store is another one then.
  const second = await openAt(service.db, fixtureApi)
  await service.stop()
  const calls = await second.usage.listCalls(0)
  const shown = calls.map(({ keyId, operationId, requests }) => [keyId, operationId, requests])
  expect(shown.sort()).toEqual(
    [
      [own?.id, 'getTool', 1],
      [own?.id, 'listTools', 3],
      [limited.id, 'listTools', 2],
    ].sort(),
  )
})
