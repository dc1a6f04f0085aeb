import { afterEach, expect, test, vi } from 'vitest'
import { issueKey } from '../../server/access/issue.ts'
import { createKeyring } from '../../server/access/keyring.ts'
import type { KeyStore } from '../../server/store/key-store.ts'
import { openStore } from '../../server/store/open-store.ts'
import { planTerms } from '../support/service.ts'

afterEach(() => {
  vi.useRealTimers()
})

function issue() {
  return issueKey({ ...planTerms('business'), name: undefined, expiresAt: undefined })
}

/** The real store with a key in it, and its look-ups as a test wants them. */
async function storeThat(findByDigest: (keys: KeyStore) => KeyStore['findByDigest']) {
  const { keys } = await openStore('sqlite::memory:')
  const issued = issue()
  await keys.add(issued.record)
  return { ...issued, keyring: createKeyring({ ...keys, findByDigest: findByDigest(keys) }) }
}

test('a key that is gone when its record is asked for opens nothing', async () => {
  const { key, keyring } = await storeThat(() => async () => undefined)
  expect(await keyring.check(key)).toBeUndefined()
})

test('the record of another key opens nothing', async () => {
  const { record: another } = issue()
  const { key, keyring } = await storeThat(() => async () => another)
  expect(await keyring.check(key)).toBeUndefined()
  expect(await keyring.check(key)).toBeUndefined()
})

test('what a slow store says is as old as the question', async () => {
  vi.useFakeTimers({ toFake: ['Date', 'performance'] })
  vi.advanceTimersByTime(1)
  let lookUps = 0
  const { key, record, keyring } = await storeThat((keys) => (digest) => {
    lookUps++
    vi.advanceTimersByTime(2_000)
    return keys.findByDigest(digest)
  })
  expect(await keyring.check(key)).toMatchObject({ id: record.id })
  vi.advanceTimersByTime(900)
  await keyring.check(key)
  expect(lookUps).toBe(1)
  vi.advanceTimersByTime(200)
  await keyring.check(key)
  expect(lookUps).toBe(2)
})
