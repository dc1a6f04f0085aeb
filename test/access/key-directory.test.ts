import { expect, test } from 'vitest'
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
