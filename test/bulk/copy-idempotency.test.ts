import { expect, test } from 'vitest'
import { copyNamed } from '../../server/bulk/copy/named.ts'
import { type CopiedRow, idempotencyKeys } from '../../server/store/copy/copied-tables.ts'
import { engines } from '../support/places/engines.ts'
import { openAt } from '../support/places/place.ts'

test.for(engines)(
  'every live idempotency key of $name is copied once, though many end at the same time',
  async ({ createPlace }) => {
    const [from, to] = [await openAt(await createPlace()), await openAt(await createPlace())]
    for (const { animals } of [from, to]) await animals.add({ name: 'Rex', categoryId: 1 })
    const soon = Date.now() + 3_600_000
    const rows = Array.from({ length: 2_500 }, (_, number): CopiedRow => {
      // Ends in the opposite order of keys, in groups across the ends of pages; some are over.
      const expiresAt = number % 5 === 0 ? 1 : soon - Math.floor(number / 700)
      return ['key_x', String(number).padStart(4, '0'), 1, 'print', expiresAt]
    })
    for (const part of [rows.slice(0, 1_250), rows.slice(1_250)]) {
      await from.copies.put(idempotencyKeys, part)
    }
    const told: number[] = []
    const tell = (_: unknown, seen: number) => told.push(seen)
    const sums = await copyNamed({ source: from.copies, target: to.copies, tell }, idempotencyKeys)
    expect(sums.source).toEqual(sums.target)
    expect(sums).toMatchObject({ put: 2_000, source: { rows: 2_000 } })
    expect(told).toEqual([1_000, 2_000, 2_000])
  },
)
