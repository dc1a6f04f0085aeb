// What a page of 20 animals costs by the size of the table, the depth of the page and the filter:
// node bench/page-cost.ts [postgres://USER@HOST/DATABASE]
// In PostgreSQL it works in a schema of its own, which it drops at the end.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Client } from 'pg'
import type { PageQuery } from '../server/store/pet-store.ts'
import { openStore } from '../server/store/store.ts'
import { insertAnimals, rarity, seriesInSqlite } from './many-animals.ts'
import { timePage } from './page-time.ts'

const limit = 21
const sizes = [1_000, 1_000_000]
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
    series: seriesInSqlite,
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

async function run(bench: Bench): Promise<void> {
  const store = await openStore(bench.url)
  let filled = 0
  try {
    for (const size of sizes) {
      await bench.execute(insertAnimals(bench.series(size - filled)))
      await bench.execute('ANALYZE animals')
      filled = size
      // The last place after which every status has a whole page.
      const end = size - limit * rarity
      for (const status of [undefined, 'sold', 'pending'] as const) {
        for (const after of [0, end / 2, end]) {
          const query: PageQuery = { after, limit, status }
          const cost = await timePage(store.pets, query)
          const what = `status ${status ?? 'any'}, after id ${after}`
          console.log(`${bench.name}, ${size} animals, ${what}: ${cost.toFixed(0)} µs`)
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
