// What a page of 20 animals costs by the size of the table, the depth of the page and the filter:
// node bench/page-cost.ts [postgres://USER@HOST/DATABASE]
// In PostgreSQL it works in a schema of its own, which it drops at the end.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Client } from 'pg'
import type { PageQuery } from '../server/store/animal-store.ts'
import { openStore } from '../server/store/open-store.ts'
import { median } from './statistics.ts'

const [rounds, warmUp, limit] = [1_000, 200, 21]
const sizes = [1_000, 1_000_000]
/** Of how many animals one has the rare status. */
const rarity = 40
const schema = 'page_cost'

/** A place for one store: its URL, a way to run SQL there, and an end. */
interface Bench {
  readonly name: string
  readonly url: string
  readonly series: (count: number) => string
  readonly execute: (sql: string) => unknown
  readonly end: () => unknown
}

function createSqliteBench(): Bench {
  const folder = mkdtempSync(join(tmpdir(), 'page-cost-'))
  const file = join(folder, 'store.sqlite')
  return {
    name: 'SQLite',
    url: `sqlite:${file}`,
    series: (count) =>
      `WITH RECURSIVE s (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s WHERE n < ${count})`,
    execute(sql) {
      const database = new DatabaseSync(file)
      database.exec(sql)
      database.close()
    },
    end: () => rmSync(folder, { recursive: true }),
  }
}

async function createPostgresBench(server: string): Promise<Bench> {
  const client = new Client({ connectionString: server })
  await client.connect()
  await client.query(`CREATE SCHEMA ${schema}; SET search_path = ${schema}`)
  const url = new URL(server)
  url.searchParams.set('options', `-csearch_path=${schema}`)
  return {
    name: 'PostgreSQL',
    url: url.href,
    series: (count) => `WITH s (n) AS (SELECT generate_series(1, ${count}))`,
    execute: (sql) => client.query(sql),
    async end() {
      await client.query(`DROP SCHEMA ${schema} CASCADE`)
      await client.end()
    },
  }
}

/** Microseconds that a page takes, in the middle of many. */
async function measure(page: () => Promise<unknown>): Promise<string> {
  const times: number[] = []
  for (let round = 0; round < rounds + warmUp; round++) {
    const from = performance.now()
    await page()
    if (round >= warmUp) times.push((performance.now() - from) * 1000)
  }
  return `${median(times).toFixed(0)} µs`
}

async function run(bench: Bench): Promise<void> {
  const store = await openStore(bench.url)
  let filled = 0
  try {
    for (const size of sizes) {
      // Of every forty animals one is pending; the others are available or sold.
      await bench.execute(`${bench.series(size - filled)}
        INSERT INTO animals (name, category_id, status) SELECT 'an animal of ordinary length', n,
        CASE WHEN n % ${rarity} = 0 THEN 'pending' WHEN n % 2 = 0 THEN 'available' ELSE 'sold' END FROM s`)
      await bench.execute('ANALYZE animals')
      filled = size
      // The last place after which every status has a whole page.
      const end = size - limit * rarity
      for (const status of [undefined, 'sold', 'pending'] as const) {
        for (const after of [0, end / 2, end]) {
          const query: PageQuery = { after, limit, status }
          const { length } = await store.animals.page(query)
          if (length !== limit) throw new Error(`After id ${after} a page has ${length} animals.`)
          const cost = await measure(() => store.animals.page(query))
          const what = `status ${status ?? 'any'}, after id ${after}`
          console.log(`${bench.name}, ${size} animals, ${what}: ${cost}`)
        }
      }
    }
  } finally {
    await store.close()
    await bench.end()
  }
}

await run(createSqliteBench())
const [, , server] = process.argv
if (server !== undefined) await run(await createPostgresBench(server))
