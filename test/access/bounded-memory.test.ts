import { afterEach, expect, test, vi } from 'vitest'
import { digestOf } from '../../server/access/api-key.ts'
import { issueKey } from '../../server/access/issue.ts'
import { createKeyring, capacity as mostRecent } from '../../server/access/keyring.ts'
import { createMemoryTally, capacity as mostCounted } from '../../server/access/memory-tally.ts'
import type { KeyStore } from '../../server/store/key-store.ts'
import { openStore } from '../../server/store/open-store.ts'
import { planTerms } from '../support/service.ts'

// What a cache has forgotten is found out by what it asks again, or counts from the start.

const quota = { perMinute: 1_000_000, perDay: 1_000_000 }

afterEach(() => {
  vi.useRealTimers()
})

test.for(['keys', 'addresses'] as const)(
  'of %s no more are counted than the bound',
  async (kind) => {
    const tally = createMemoryTally({ after: 10, seconds: 300 })
    const count = async (name: string): Promise<number> =>
      kind === 'addresses'
        ? (await tally.countAddress(name)).events
        : (await tally.countKey(name, quota)).minute.events
    const flood = async (names: number): Promise<void> => {
      for (let name = 0; name < names; name++) await count(`name ${name}`)
    }
    await count('somebody')
    await flood(mostCounted - 1)
    expect(await count('somebody')).toBe(2)
    await flood(mostCounted)
    expect(await count('somebody')).toBe(1)
  },
)

test('reading an address that was never counted keeps nothing', async () => {
  const tally = createMemoryTally({ after: 10, seconds: 300 })
  await tally.countAddress('somebody')
  for (let name = 0; name < mostCounted; name++) await tally.readAddress(`name ${name}`)
  expect((await tally.countAddress('somebody')).events).toBe(2)
})

test('of keys no more records are kept than the bound', async () => {
  vi.useFakeTimers({ toFake: ['Date', 'performance'] })
  // lru-cache takes an entry of time zero for one without a time.
  vi.advanceTimersByTime(1)
  const store = await openStore('sqlite::memory:')
  const asked: string[] = []
  const keys: KeyStore = {
    ...store.keys,
    findByDigest(digest) {
      asked.push(Buffer.from(digest).toString('hex'))
      return store.keys.findByDigest(digest)
    },
  }
  const terms = { ...planTerms('free'), name: undefined, expiresAt: undefined }
  const issued = Array.from({ length: mostRecent + 1 }, () => issueKey(terms))
  await Promise.all(issued.map(({ record }) => keys.add(record)))
  const keyring = createKeyring(keys)
  for (const { key } of issued) await keyring.check(key)
  const [first = '', ...others] = issued.map(({ key }) => key)
  for (const key of [...others.slice(-5), first]) await keyring.check(key)
  expect(asked.slice(issued.length)).toEqual([digestOf(first)])
})
