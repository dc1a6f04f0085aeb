import { expect, test, vi } from 'vitest'
import { listPets } from '../../server/api/list-pets.ts'
import { createPetStore } from '../../server/api/pet-store.ts'
import type { CallableHandler } from '../../server/contract/handler.ts'
import { respond, respondError } from '../../server/contract/handler-response.ts'
import { createPageCursors } from '../../server/contract/page-cursor.ts'
import { readServedApi } from '../../server/served-api.ts'
import { createUsualDatabase, openAt } from '../helpers/databases/test-database.ts'

const noValues = { path: {}, headers: {}, cookies: {}, mediaType: undefined, body: undefined }
const context = {
  caller: undefined,
  callerId: undefined,
  acceptedMediaType: undefined,
  exactIntegers: new Map(),
  lastEventId: undefined,
  signal: new AbortController().signal,
  hrefWith: String,
  fingerprint: String,
  prefer: [],
  respond,
  respondError,
}

/** Pages, from the id after which they begin; one in a thousand pets is pending, none is sold. */
const pages = [
  ['the first page', 0],
  ['a deep page', 90_000],
  ['the end', 100_000],
  ['a common status', 0, 'available'],
  ['a common status, deep', 90_000, 'available'],
  ['a rare status, deep', 50_000, 'pending'],
  ['a status of no pet', 50_000, 'sold'],
] as const

// Every condition is a bound of the search, and nothing is sorted or filtered: no more rows are read
// than the page has.
const plans = {
  sqlite: {
    explain: 'EXPLAIN QUERY PLAN',
    all: /^SEARCH pets USING INTEGER PRIMARY KEY \(rowid>\?\)$/,
    ofStatus: /^SEARCH pets USING INDEX pets_by_status \(status=\? AND id>\?\)$/,
  },
  postgresql: {
    explain: 'EXPLAIN (COSTS OFF)',
    all: /^Limit\n.* Index Scan using pets_pkey on pets\n *Index Cond: \(id > .*$/,
    ofStatus:
      /^Limit\n.* Index Scan using pets_by_status on pets\n *Index Cond: \(\(ROW\(status, id\) > .* AND \(status <= .*$/,
  },
}

test('a page of 100,000 pets is found through an index and never sorted, with statistics and without', async () => {
  const db = await createUsualDatabase()
  const { database, secret } = await openAt(db, readServedApi())
  await db.execute(
    `INSERT INTO pets (name, category_id, status)
     WITH RECURSIVE s (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s WHERE n < 100000)
     SELECT 'pet ' || n, n,
       CASE WHEN n % 1000 = 0 THEN 'pending' WHEN n % 2 = 0 THEN 'available' END FROM s`,
  )
  const { explain, all, ofStatus } = plans[database.dialect.engine]
  const read = vi.spyOn(database, 'read')
  const cursors = createPageCursors(secret)
  // As the service calls a handler.
  const handler = listPets(createPetStore(database), cursors) as unknown as CallableHandler
  for (const statistics of ['without', 'with']) {
    if (statistics === 'with') {
      await db.execute('ANALYZE')
    }
    for (const [page, after, status] of pages) {
      const cursor = cursors.write(after, status ?? '')
      await handler({ ...noValues, query: { limit: 20, status, cursor } }, context)
      const [sql = '', ...values] = read.mock.lastCall ?? []
      // One row more than the page has shows whether there is a next one.
      expect(values.at(-1), page).toBe(21)
      const plan = await database.read<object>(`${explain} ${sql}`, ...values)
      const lines = plan.map((row) => Object.values(row).at(-1)).join('\n')
      const expected = status === undefined ? all : ofStatus
      expect(lines, `${page}, ${statistics} statistics`).toMatch(expected)
    }
  }
})
