import { afterEach, expect, test, vi } from 'vitest'
import { createAddressLimit } from '../../server/access/address-limit.ts'
import { createAdmission } from '../../server/access/admission.ts'
import { createApiKey, digestOf, isApiKey } from '../../server/access/api-key.ts'
import { issueKey } from '../../server/access/issue.ts'
import { createKeyLimits } from '../../server/access/key-limits.ts'
import { createKeyring } from '../../server/access/keyring.ts'
import { createMemoryTally } from '../../server/access/memory-tally.ts'
import type { KeyStore } from '../../server/store/key-store.ts'
import { openStore } from '../../server/store/open-store.ts'
import { planTerms } from '../support/service.ts'

afterEach(() => {
  vi.useRealTimers()
})

const usage = { count: () => undefined }

function fakeClocks(): void {
  vi.useFakeTimers({ toFake: ['Date', 'performance'] })
  // lru-cache takes an entry of time zero for one without a time.
  vi.advanceTimersByTime(1)
}

/** The real store, with a count of the look-ups that it was asked for. */
async function countingStore() {
  const store = await openStore('sqlite::memory:')
  const count = { lookUps: 0 }
  const keys: KeyStore = {
    ...store.keys,
    digestsAfter(position, limit) {
      count.lookUps++
      return store.keys.digestsAfter(position, limit)
    },
    findByDigest(digest) {
      count.lookUps++
      return store.keys.findByDigest(digest)
    },
  }
  const { key, record } = issueKey({
    ...planTerms('business'),
    name: undefined,
    expiresAt: undefined,
  })
  await keys.add(record)
  return { keys, count, key, record }
}

test('a key is ask_, 30 random characters and their CRC-32 in base62', () => {
  // CRC-32 by its table, apart from the one that the service uses.
  const table = Array.from({ length: 256 }, (_, byte) => {
    let value = byte
    for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1
    return value >>> 0
  })
  const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
  for (let turn = 0; turn < 200; turn++) {
    const key = createApiKey()
    expect(key).toMatch(/^ask_[0-9A-Za-z]{36}$/)
    let crc = 0xffffffff
    for (const byte of Buffer.from(key.slice(4, 34))) {
      crc = ((table[(crc ^ byte) & 255] ?? 0) ^ (crc >>> 8)) >>> 0
    }
    const value = [...key.slice(34)].reduce((sum, digit) => sum * 62 + alphabet.indexOf(digit), 0)
    expect(value).toBe((crc ^ 0xffffffff) >>> 0)
    expect(isApiKey(key)).toBe(true)
  }
})

const isKeyOptional = () => false

test('a mistyped key is recognised without asking the store', async () => {
  const { keys, count, key } = await countingStore()
  const admit = createAdmission({ keyring: createKeyring(keys), usage })
  for (let at = 4; at < key.length; at++) {
    const typo = key.slice(0, at) + (key[at] === 'x' ? 'y' : 'x') + key.slice(at + 1)
    const applicant = { credentials: [`Bearer ${typo}`], address: () => '192.0.2.1' }
    expect(await admit({ ...applicant, isKeyOptional })).toMatchObject({ refusal: { status: 401 } })
  }
  expect(count.lookUps).toBe(0)
})

test('a key that was seen in the last seconds costs no query; a revocation is felt within five', async () => {
  fakeClocks()
  const { keys, count, key, record } = await countingStore()
  const keyring = createKeyring(keys)
  for (let turn = 0; turn < 100; turn++) expect(await keyring.check(key)).toBeDefined()
  // One look for what was issued, one for the record.
  expect(count.lookUps).toBe(2)
  await keys.revoke(record.id, Date.now())
  vi.advanceTimersByTime(5_000)
  expect(await keyring.check(key)).toBeUndefined()
})

test('a key that expires is refused from that moment on, however fresh it is', async () => {
  fakeClocks()
  const { keys } = await countingStore()
  const keyring = createKeyring(keys)
  const { key, record } = issueKey({
    ...planTerms('free'),
    name: undefined,
    expiresAt: Date.now() + 1_000,
  })
  await keys.add(record)
  expect(await keyring.check(key)).toBeDefined()
  vi.advanceTimersByTime(1_000)
  expect(await keyring.check(key)).toBeUndefined()
})

test('a flood of 100,000 random keys from everywhere makes few queries, and good keys are served', async () => {
  const { keys, count, key } = await countingStore()
  const tally = createMemoryTally({ after: 10, seconds: 300 })
  const admit = createAdmission({
    keyring: createKeyring(keys),
    usage,
    limits: {
      ofKey: createKeyLimits(tally),
      ofAddress: createAddressLimit(tally, 60),
    },
  })
  const knock = (token: string, at: number) => {
    const address = at % 2 === 0 ? '192.0.2.1' : `2001:db8:0:${(at % 65_536).toString(16)}::1`
    return admit({ credentials: [`Bearer ${token}`], address: () => address, isKeyOptional })
  }
  for (let batch = 0; batch < 50; batch++) {
    const knocks = Array.from({ length: 2_000 }, (_, at) => knock(createApiKey(), at))
    // One that was there, and one that is issued in the middle of it, from the flooding address.
    const late = issueKey({ ...planTerms('business'), name: undefined, expiresAt: undefined })
    await keys.add(late.record)
    const good = await Promise.all([knock(key, 0), knock(late.key, 0)])
    expect(good.map(({ callerId }) => callerId)).not.toContain(undefined)
    for (const { refusal } of await Promise.all(knocks)) expect(refusal).toBeDefined()
  }
  // Every batch shares a look or two; then there are the 51 good keys, one look-up each.
  expect(count.lookUps).toBeLessThan(300)
})

test('what is kept of a key is its SHA-256', async () => {
  const { keys, key, record } = await countingStore()
  const { createHash } = await import('node:crypto')
  const digest = createHash('sha256').update(key).digest()
  expect(Buffer.from(record.digest).equals(digest)).toBe(true)
  expect(digestOf(key)).toBe(digest.toString('hex'))
  expect(await keys.findByDigest(digest)).toMatchObject({ id: record.id })
})
