import { expect, onTestFinished, test, vi } from 'vitest'
import { issueKey } from '../../server/access/issue.ts'
import { createKeyDirectory } from '../../server/access/key-directory.ts'
import { openStore } from '../../server/store/open-store.ts'
import { StoreUnavailable } from '../../server/store/store-unavailable.ts'
import { planTerms } from '../support/service.ts'

test('all keys are read in pages, and a page that fails costs nothing of those before it', async () => {
  const { keys } = await openStore('sqlite::memory:')
  const terms = { ...planTerms('free'), name: undefined, expiresAt: undefined }
  const records = Array.from({ length: 7 }, () => issueKey(terms).record)
  for (const record of records) await keys.add(record)
  const asked: number[] = []
  let isAway = false
  const directory = createKeyDirectory(
    {
      async digestsAfter(position, limit) {
        asked.push(position)
        if (isAway) throw new StoreUnavailable('away')
        isAway = asked.length === 2
        return keys.digestsAfter(position, limit)
      },
    },
    3,
  )
  const last = Buffer.from(records[6]?.digest ?? []).toString('hex')
  await expect(directory.has(last)).rejects.toThrow('away')
  isAway = false
  expect(await directory.has(last)).toBe(true)
  expect(asked).toEqual([0, 3, 6, 6])
  for (const { digest } of records) {
    expect(await directory.has(Buffer.from(digest).toString('hex'))).toBe(true)
  }
  expect(asked).toHaveLength(4)
})

test('however many unknown keys come, the store is looked at every 50 ms at most', async () => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  let looks = 0
  const directory = createKeyDirectory({
    async digestsAfter(position) {
      looks++
      return { digests: [], position }
    },
  })
  expect(await directory.has('a')).toBe(false)
  expect(looks).toBe(1)
  const asked = Promise.all(['b', 'c', 'd'].map((digest) => directory.has(digest)))
  await vi.advanceTimersByTimeAsync(49)
  expect(looks).toBe(1)
  await vi.advanceTimersByTimeAsync(1)
  expect(await asked).toEqual([false, false, false])
  expect(looks).toBe(2)
  await vi.advanceTimersByTimeAsync(50)
  // Nobody waits when the last look is long ago.
  expect(await directory.has('e')).toBe(false)
  expect(looks).toBe(3)
})
