import { afterEach, expect, test, vi } from 'vitest'
import { createUsageMeter, dayOf } from '../../server/access/usage-meter.ts'
import { list } from '../../server/commands/key-commands.ts'
import { openStore } from '../../server/store/open-store.ts'
import { OutcomeUnknown, StoreUnavailable } from '../../server/store/store-unavailable.ts'
import type { KeyUse, UsageStore } from '../../server/store/usage-store.ts'
import { startTestService } from '../support/service.ts'

const fail = (error: unknown): never => {
  throw error
}

afterEach(() => {
  vi.useRealTimers()
})

test('keys list shows what each key used today on all instances, and when it was last used', async () => {
  const one = await startTestService()
  const two = await startTestService({}, one.place)
  const { key, id } = await one.issue({ name: 'batch', perMinute: 2, perDay: 8 })
  const headers = { Authorization: `Bearer ${key}` }
  // The third is over the limit of this instance, and is not use.
  for (let turn = 0; turn < 3; turn++) await one.send('/v1/pets', { headers })
  await two.send('/v1/pets', { headers })
  await one.stop()
  await two.stop()

  const store = await openStore(one.place.url)
  const listed = JSON.parse((await list(store, true)).out)
  const entry = listed.find((candidate: { id: string }) => candidate.id === id)
  expect(entry).toMatchObject({ usedToday: 3, perDay: 8 })
  expect(Date.now() - Date.parse(entry.lastUsedAt)).toBeLessThan(60_000)
  const { out } = await list(store, false)
  expect(out).toMatch(/USED TODAY +LAST USED/)
  expect(out).toMatch(/batch .* 3 \(37 %\) +\d{4}-\d{2}-\d{2} \d{2}:\d{2}/)
  expect(out).toContain('approximate')
  await store.close()
})

test('a key that was never used shows none, and yesterday is not today', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 10, 20, 23, 59) })
  const { store, issue, send } = await startTestService()
  const { key, id } = await issue({ name: 'early' })
  await issue({ name: 'never' })
  await send('/v1/pets', { headers: { Authorization: `Bearer ${key}` } })
  const meter = createUsageMeter(store.usage, fail)
  meter.count(id)
  vi.setSystemTime(Date.UTC(2026, 10, 21, 0, 1))
  meter.count(id)
  meter.count(id)
  await meter.stop()
  expect(await store.usage.list()).toEqual([
    { keyId: id, day: dayOf(Date.now()), requests: 2, lastUsedAt: Date.now() },
  ])
  vi.setSystemTime(Date.UTC(2026, 10, 22))
  const listed: { name: string }[] = JSON.parse((await list(store, true)).out)
  const named = (name: string) => listed.find((entry) => entry.name === name)
  expect(named('early')).toMatchObject({ usedToday: 0, lastUsedAt: '2026-11-21T00:01:00.000Z' })
  expect(named('never')).toMatchObject({ usedToday: 0, lastUsedAt: null })
})

interface Try {
  readonly failure?: Error
  /** When the key is used before it, in milliseconds since 1970. */
  readonly usedAt: number
}

/** Uses a key and lets it be written, again and again; gives what was written and told. */
async function meterThrough(tries: readonly Try[]) {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] })
  const written: KeyUse[] = []
  const told: string[] = []
  const coming = [...tries]
  const add: UsageStore['add'] = async (counted) => {
    const failure = coming.shift()?.failure
    if (failure !== undefined) throw failure
    written.push(...counted)
  }
  const store = await openStore('sqlite::memory:')
  const meter = createUsageMeter({ ...store.usage, add }, (error, left) =>
    told.push(`${error} ${left}`),
  )
  for (const [index, { usedAt }] of tries.entries()) {
    vi.setSystemTime(usedAt)
    meter.count('key_a')
    if (index === tries.length - 1) await meter.stop()
    else await vi.advanceTimersByTimeAsync(5_000)
  }
  await store.close()
  return { written, told }
}

test('what was not written is written later, with the last use whichever clock said it', async () => {
  const away = new StoreUnavailable('away')
  const { written, told } = await meterThrough([
    { failure: away, usedAt: 2_000 },
    { usedAt: 1_000 },
  ])
  expect(told).toEqual(['StoreUnavailable: away kept'])
  expect(written).toEqual([{ keyId: 'key_a', day: 0, requests: 2, lastUsedAt: 2_000 }])
})

test('what may have been written is not written twice', async () => {
  const lost = new OutcomeUnknown('lost')
  const { written, told } = await meterThrough([
    { failure: lost, usedAt: 1_000 },
    { usedAt: 2_000 },
  ])
  expect(told).toEqual(['StoreUnavailable: lost dropped'])
  expect(written).toEqual([{ keyId: 'key_a', day: 0, requests: 1, lastUsedAt: 2_000 }])
})

test('what cannot be written at the end is not said to be written later', async () => {
  const { told } = await meterThrough([{ failure: new StoreUnavailable('away'), usedAt: 1_000 }])
  expect(told).toEqual(['StoreUnavailable: away dropped'])
})
