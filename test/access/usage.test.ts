import { afterEach, expect, test, vi } from 'vitest'
import { createUsageMeter, dayOf } from '../../server/access/usage-meter.ts'
import { list } from '../../server/commands/key-commands.ts'
import { openStore } from '../../server/store/open-store.ts'
import type { UsageStore } from '../../server/store/usage-store.ts'
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

test('what cannot be written is written later', async () => {
  const store = await openStore('sqlite::memory:')
  const uses: unknown[] = []
  let isAway = true
  const failures: unknown[] = []
  const add: UsageStore['add'] = async (counted) => {
    if (isAway) throw new Error('away')
    uses.push(...counted)
  }
  const meter = createUsageMeter({ ...store.usage, add }, (error) => failures.push(error))
  meter.count('key_a')
  await meter.stop()
  isAway = false
  meter.count('key_a')
  await meter.stop()
  expect(failures).toEqual([new Error('away')])
  expect(uses).toMatchObject([{ keyId: 'key_a', requests: 2 }])
  await store.close()
})
