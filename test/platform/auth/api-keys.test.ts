import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { expect, test, vi } from 'vitest'
import { apiKeyMarker as marker } from '../../../server/process/names.ts'
import { createApiKey } from '../../../server/security/api-key.ts'
import { stopClocks } from '../../helpers/clocks.ts'
import { startFixtureService, tools } from '../../helpers/fixture-service.ts'
import { expectMetric } from '../../helpers/metrics.ts'
import type { TestService } from '../../helpers/service.ts'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

async function statusWith({ send }: TestService, key: string): Promise<number> {
  return (await send(tools, { key })).status
}

/** Returns a function that returns how often the key store was called since. */
function watchKeyStore({ store: { keys } }: TestService): () => number {
  const names = Object.keys(keys) as (keyof typeof keys)[]
  const spies = names.map((name) => vi.spyOn(keys, name))
  return () => spies.reduce((sum, { mock }) => sum + mock.calls.length, 0)
}

test('an API key is a prefix, 30 random characters and their CRC-32 in base62', async () => {
  const { issue } = await startFixtureService()
  const { key, id } = await issue()
  expect(id).toMatch(/^key_[0-9A-Za-z]{12}$/)
  expect(key.slice(0, marker.length)).toBe(marker)
  const random = key.slice(marker.length)
  expect(random).toMatch(/^[0-9A-Za-z]{36}$/)
  const checksum = [...random.slice(30)].reduce(
    (sum, digit) => sum * 62 + alphabet.indexOf(digit),
    0,
  )
  expect(checksum).toBe(crc32(random.slice(0, 30)))
  expect((await issue()).key).not.toBe(key)
})

test('a mistyped API key is rejected without asking the store', async () => {
  const service = await startFixtureService({ RATE_LIMITS: 'off' })
  const { apiKey: key } = service
  const countCalls = watchKeyStore(service)
  for (let at = marker.length; at < key.length; at++) {
    const typo = key.slice(0, at) + (key[at] === 'x' ? 'y' : 'x') + key.slice(at + 1)
    expect(await statusWith(service, typo)).toBe(401)
  }
  expect(countCalls()).toBe(0)
  expect(await statusWith(service, key)).toBe(200)
})

test('an API key is stored as its SHA-256, and the file does not contain it', async () => {
  const { apiKey, db } = await startFixtureService()
  const rows = await db.execute('SELECT * FROM api_keys')
  const digest = createHash('sha256').update(apiKey).digest()
  const values = rows.flatMap((row) => Object.values(row))
  const hashes = values.filter((value) => value instanceof Uint8Array)
  expect(hashes.map((bytes) => Buffer.from(bytes))).toContainEqual(digest)
  expect(values).toContain(apiKey.slice(0, marker.length + 6))
  expect(values.join(' ')).not.toContain(apiKey.slice(0, marker.length + 7))
})

test('an API key in use costs no query; one that expires is rejected at once, one that is deleted within five seconds', async () => {
  stopClocks()
  const service = await startFixtureService()
  const [deleted, expiring] = [
    await service.issue(),
    await service.issue({ expiresAt: Date.now() + 1_000 }),
  ]
  const countCalls = watchKeyStore(service)
  for (let use = 0; use < 50; use++) {
    for (const { key } of [deleted, expiring]) {
      expect(await statusWith(service, key)).toBe(200)
    }
  }
  expect(countCalls()).toBeLessThanOrEqual(4)
  vi.advanceTimersByTime(999)
  expect(await statusWith(service, expiring.key)).toBe(200)
  vi.advanceTimersByTime(1)
  expect(await statusWith(service, expiring.key)).toBe(401)
  await service.db.execute(`DELETE FROM api_keys WHERE id = '${deleted.id}'`)
  vi.advanceTimersByTime(5_000)
  expect(await statusWith(service, deleted.key)).toBe(401)
})

test('requests that wait for a slow look-up of an API key share it, and five seconds after it began the key is looked up again', async () => {
  stopClocks()
  const service = await startFixtureService({ OPS_PORT: '0' })
  const { key } = await service.issue()
  const { findByDigest } = service.store.keys
  const { promise, resolve } = Promise.withResolvers<void>()
  const find = vi.spyOn(service.store.keys, 'findByDigest').mockImplementation(async (digest) => {
    await promise
    return findByDigest(digest)
  })
  const statuses = [1, 2, 3, 4, 5].map(() => statusWith(service, key))
  await expectMetric(service, 'requests_in_flight', 5)
  vi.advanceTimersByTime(2_000)
  resolve()
  expect(await Promise.all(statuses)).toEqual(Array(5).fill(200))
  expect(find).toHaveBeenCalledOnce()
  vi.advanceTimersByTime(3_000)
  expect(await statusWith(service, key)).toBe(200)
  expect(find).toHaveBeenCalledTimes(2)
})

test('a flood of unknown API keys makes few queries, and valid ones are accepted meanwhile', async () => {
  const service = await startFixtureService({ RATE_LIMITS: 'off', OVERLOAD_WAIT_MS: '60000' })
  const countCalls = watchKeyStore(service)
  const flood = Array.from({ length: 500 }, () => statusWith(service, createApiKey()))
  expect(await statusWith(service, service.apiKey)).toBe(200)
  const late = await service.issue()
  expect(await statusWith(service, late.key)).toBe(200)
  expect(await Promise.all(flood)).toEqual(Array(500).fill(401))
  expect(countCalls()).toBeLessThan(250)
})

test('an API key that is issued while a look-up of new keys is running is accepted', async () => {
  const service = await startFixtureService()
  const { digestsAfter } = service.store.keys
  const { promise, resolve } = Promise.withResolvers<void>()
  const read = vi
    .spyOn(service.store.keys, 'digestsAfter')
    .mockImplementationOnce(async (...page) => {
      const rows = await digestsAfter(...page)
      await promise
      return rows
    })
  const unknown = statusWith(service, createApiKey())
  await expect.poll(() => read.mock.settledResults.length).toBe(1)
  const { key } = await service.issue()
  const issued = statusWith(service, key)
  const { send } = service
  // It arrives after the request with the issued key.
  expect((await send(tools, { key: '' })).status).toBe(401)
  resolve()
  expect(await Promise.all([unknown, issued])).toEqual([401, 200])
})
