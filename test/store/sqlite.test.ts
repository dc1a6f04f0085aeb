import type { DatabaseSync } from 'node:sqlite'
import { describe, expect, test } from 'vitest'
import type { NewAnimal } from '../../server/store/animal-store.ts'
import { idempotencyKeys } from '../../server/store/copy/copied-tables.ts'
import type { Store } from '../../server/store/store.ts'
import { openAt } from '../support/places/place.ts'
import { createSqlitePlace } from '../support/places/sqlite-place.ts'
import { watchStatements } from './statements.ts'

const cat = { name: 'Cat', categoryId: 1 } as const

interface Opened {
  readonly store: Store
  /** The connection of the store itself: some settings are not those of the file. */
  readonly ask: (sql: string) => unknown[]
  readonly prepared: readonly string[]
}

async function open(): Promise<Opened> {
  const prepared: string[] = []
  let connection: DatabaseSync | undefined
  const watch = (sql: string, on: DatabaseSync): void => {
    prepared.push(sql)
    connection = on
  }
  const place = await createSqlitePlace()
  const store = await watchStatements(watch, () => openAt(place))
  return { store, prepared, ask: (sql) => connection?.prepare(sql).all() ?? [] }
}

describe('the SQLite store', () => {
  test('writes ahead, syncs every commit, and waits for a busy database', async () => {
    const { ask } = await open()
    expect(ask('PRAGMA journal_mode')).toEqual([{ journal_mode: 'wal' }])
    expect(ask('PRAGMA synchronous')).toEqual([{ synchronous: 2 }])
    expect(ask('PRAGMA busy_timeout')).toEqual([{ timeout: 5 }])
    expect(ask('PRAGMA foreign_keys')).toEqual([{ foreign_keys: 1 }])
  })

  test('lets writers that come together share a commit', async () => {
    const { store } = await open()
    const commits: string[] = []
    const watch = (sql: string): void => void (sql === 'COMMIT' && commits.push(sql))
    await watchStatements(watch, () =>
      Promise.all(Array.from({ length: 500 }, () => store.animals.add(cat))),
    )
    expect(commits.length).toBeGreaterThan(0)
    expect(commits.length).toBeLessThanOrEqual(4)
  })

  test('undoes a piece of work that fails, and keeps those that share its commit', async () => {
    const { store, ask } = await open()
    // What the type rules out stands for whatever else an insert may fail of.
    const nameless: NewAnimal = JSON.parse('{"name":null,"categoryId":1}')
    const outcomes = await Promise.allSettled([
      store.animals.add(cat),
      store.animals.add(nameless),
      store.animals.add(cat),
    ])
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(ask('SELECT count(*) AS count FROM animals')).toEqual([{ count: 2 }])
  })
})

test('a copy finds the idempotency keys that live through the index of their times', async () => {
  const { store, ask } = await open()
  const prepared: string[] = []
  const row = ['key_x', 'a', 1, 'print', 2_000]
  await watchStatements(
    (sql) => prepared.push(sql),
    () => store.copies.page(idempotencyKeys, row),
  )
  const page = prepared.find((sql) => sql.includes('ORDER BY'))
  const plan = JSON.stringify(ask(`EXPLAIN QUERY PLAN ${page}`))
  expect(plan).toMatch(/idempotency_keys USING INDEX idempotency_keys_by_expiry \(\(?expires_at/)
})

// Node's SQLite has no counter of the rows that a statement reads. The plan says as much: it names
// every condition of the page as a bound of the search, so nothing that is read is left out, and
// without a sort the limit ends the reading.
test('SQLite finds a page of a million animals through an index, and never sorts, whatever it knows of them', async () => {
  const { store, ask, prepared } = await open()
  ask(`WITH RECURSIVE s (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s WHERE n < 1000000)
    INSERT INTO animals (name, category_id, status) SELECT 'animal ' || n, n,
    CASE WHEN n % 1000 = 0 THEN 'pending' WHEN n % 2 = 0 THEN 'available' END FROM s`)
  const statements = prepared.filter((sql) => /FROM animals WHERE .* ORDER BY/.test(sql))
  expect(statements).toHaveLength(2)
  const limit = 21
  for (const knows of ['nothing', 'everything']) {
    if (knows === 'everything') ask('ANALYZE')
    const plans = statements.map((sql) => JSON.stringify(ask(`EXPLAIN QUERY PLAN ${sql}`)))
    const where = `when it knows ${knows}`
    expect(plans[0], where).toContain('SEARCH animals USING INTEGER PRIMARY KEY (rowid>?)')
    expect(plans[1], where).toContain('USING INDEX animals_by_status (status=? AND id>?)')
    for (const plan of plans) expect(plan, where).not.toMatch(/SCAN|TEMP B-TREE/)
    const deep = { after: 999_000, limit }
    const all = await store.animals.page({ ...deep, status: undefined })
    expect(all.map(({ id }) => id)).toEqual(Array.from({ length: limit }, (_, n) => 999_001 + n))
    expect(await store.animals.page({ ...deep, status: 'pending' })).toHaveLength(1)
    expect(await store.animals.page({ ...deep, after: 0, status: 'sold' })).toEqual([])
  }
})
