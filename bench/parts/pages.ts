import { openStore } from '../../server/store/store.ts'
import { timePage } from '../page-time.ts'
import { withSpread } from '../report/numbers.ts'
import { toFigure, toRatio } from '../report/outcome.ts'
import { createDatabase } from '../run/database.ts'
import { type Server, startServer } from '../run/server.ts'
import { compare } from './compare.ts'
import type { Bench, Part } from './part.ts'

const [few, many, limit, deep, atMost] = [1_000, 1_000_000, 20, 10_000, 1.2]
const first = `/v1/pets?limit=${limit}`

/** What a page costs by the size of the table and by how far it is from the first. */
export const pages: Part = {
  names: ['pages'],
  async run(bench) {
    const { folder, cores, isQuick } = bench
    const scale = isQuick ? 10 : 1
    bench.tell('filling a table')
    const small = await createDatabase(folder, few)
    const large = await createDatabase(folder, many / scale)
    const launch = { program: 'server/main.ts', folder, core: cores?.server }
    const [ofSmall, ofLarge] = [small.copy(), large.copy()]
    const start = (database: string) => startServer({ ...launch, database })
    const [smallServer, largeServer] = [await start(ofSmall), await start(ofLarge)]
    bench.tell(`walking to page ${deep / scale}`)
    const page = deep / scale
    const far = await walkTo(largeServer, large.key, (page - 1) * limit)
    const taken = await compare(bench, [
      { server: smallServer, key: small.key, request: first },
      { server: largeServer, key: large.key, request: first },
      { server: largeServer, key: large.key, request: far },
    ])
    const cpu = taken.map((rounds) => rounds.map(({ cpu }) => cpu))
    const atStore = await timeAtStore(bench, ofSmall, ofLarge, (page - 1) * limit)
    return toOutcome(cpu, atStore, { animals: many / scale, page })
  },
}

/** The target of the page that follows an id, found as callers find it. */
async function walkTo({ port }: Server, key: string, after: number): Promise<string> {
  let target = first
  for (let at = 0; at < after; ) {
    const size = Math.min(100, after - at)
    const url = new URL(target, `http://127.0.0.1:${port}`)
    url.searchParams.set('limit', `${size}`)
    const response = await fetch(url, { headers: { Authorization: `Bearer ${key}` } })
    await response.arrayBuffer()
    const [, next] = /<([^>]+)>; rel="next"/.exec(response.headers.get('link') ?? '') ?? []
    if (next === undefined) throw new Error(`The walk ends after ${at} animals.`)
    target = next
    at += size
  }
  return target.replace(/limit=\d+/, `limit=${limit}`)
}

/** Microseconds that the same three pages take without HTTP, several times each. */
async function timeAtStore({ isQuick, tell }: Bench, small: string, large: string, after: number) {
  tell('at the store')
  const [ofSmall, ofLarge] = [await openStore(small), await openStore(large)]
  const times: number[][] = [[], [], []]
  const query = { after: 0, limit: limit + 1, status: undefined }
  for (let round = 0; round < (isQuick ? 2 : 5); round++) {
    times[0]?.push(await timePage(ofSmall.pets, query))
    times[1]?.push(await timePage(ofLarge.pets, query))
    times[2]?.push(await timePage(ofLarge.pets, { ...query, after }))
  }
  await ofSmall.close()
  await ofLarge.close()
  return times
}

type Rounds = readonly (readonly number[])[]

function toOutcome(cpu: Rounds, atStore: Rounds, extent: { animals: number; page: number }) {
  const [animals, page] = [extent.animals, extent.page].map((n) => n.toLocaleString('en-US'))
  const far = `page ${page} of ${animals} animals`
  const names = ['page 1 of 1,000 animals', `page 1 of ${animals} animals`, far]
  const [ofFirst = [], , ofFar = []] = cpu
  const [storeOfFirst = [], , storeOfFar = []] = atStore
  const against = `${far}, against page 1 of 1,000`
  const targets = [
    { what: `CPU: ${against}`, atMost, measured: toRatio(ofFar, ofFirst) },
    {
      what: `store: ${against}`,
      atMost,
      measured: toRatio(storeOfFar, storeOfFirst),
    },
  ]
  const table = {
    title: 'Pages by size and depth',
    note: 'A page of 20 animals in µs: CPU of the whole request, and time at the store alone.',
    columns: ['', 'request', 'store'],
    rows: names.map((name, index) => [
      name,
      withSpread(toFigure(cpu[index] ?? [])),
      withSpread(toFigure(atStore[index] ?? [])),
    ]),
  }
  return { targets, bars: [], tables: [table], raw: { names, cpu, atStore } }
}
