// What a call through the client costs beside a bare `fetch`, in CPU of this process:
// node bench/client-call.ts [--rounds NUMBER] [--json]
import { parseArgs } from 'node:util'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import createFetchClient from 'openapi-fetch'
import { createAnimalStore } from '../client/index.ts'
import type { paths } from '../generated/openapi.d.ts'
import { startLocalService } from './local-service.ts'
import { percentile, sum } from './statistics.ts'

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '100' },
    json: { type: 'boolean', default: false },
  },
})
const rounds = Number(options.rounds)
const [warmUp, callsARound] = [Math.floor(rounds / 5), 800]

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

// Its service ends with it.
process.once('SIGTERM', () => process.exit(1))
const { baseUrl, apiKey, stop } = await startLocalService()
const store = createAnimalStore({ baseUrl, apiKey })
const headers = { Authorization: `Bearer ${apiKey}` }
const raw = createFetchClient<paths>({ baseUrl, headers })

/** What a program without a client would write. */
async function fetchBare(init: RequestInit = {}): Promise<unknown> {
  const response = await fetch(`${baseUrl}/pets?limit=20`, { headers, ...init })
  if (!response.ok) throw new Error(`status ${response.status}`)
  return response.json()
}

/** The same with a deadline, as a careful program would write it. */
async function fetchWithDeadline(): Promise<unknown> {
  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort(), 30_000)
  try {
    return await fetchBare({ signal: controller.signal })
  } finally {
    clearTimeout(timer)
  }
}

const ways = new Map<string, () => Promise<unknown>>([
  ['bare fetch', () => fetchBare()],
  ['bare fetch with a deadline', fetchWithDeadline],
  ['openapi-fetch', () => raw.GET('/pets', { params: { query: { limit: 20 } } })],
  ['animal-store-client', async () => store.listPets({ limit: 20 })],
])

/** CPU of a call, in µs, with some calls under way at any time. */
async function measure(call: () => Promise<unknown>, atOnce: number): Promise<number> {
  // Nobody pays for what another way left behind.
  collectGarbage()
  const begin = process.cpuUsage()
  let left = callsARound
  const caller = async (): Promise<void> => {
    while (left-- > 0) await call()
  }
  await Promise.all(Array.from({ length: atOnce }, caller))
  const { user, system } = process.cpuUsage(begin)
  return (user + system) / callsARound
}

/** What each way cost, with so many calls under way. */
interface Compared {
  readonly atOnce: number
  readonly costs: readonly { name: string; mean: number; low: number; high: number }[]
}

async function compare(atOnce: number): Promise<Compared> {
  const measured = new Map([...ways.keys()].map((name) => [name, [] as number[]]))
  for (let round = 0; round < rounds; round++) {
    // Each round begins with another one, so that none always follows the same.
    const order = [...ways].map((_, index, all) => all[(index + round) % all.length])
    for (const way of order) {
      if (way === undefined) continue
      const [name, call] = way
      const cost = await measure(call, atOnce)
      if (round >= warmUp) measured.get(name)?.push(cost)
    }
    if (process.stderr.isTTY && !options.json) {
      process.stderr.write(`\rround ${round + 1} of ${rounds}`)
    }
  }
  const costs = [...measured].map(([name, values]) => ({
    name,
    mean: sum(values) / values.length,
    low: percentile(values, 0.1),
    high: percentile(values, 0.9),
  }))
  return { atOnce, costs }
}

function show({ atOnce, costs }: Compared): void {
  const load = atOnce === 1 ? 'one after the other' : `${atOnce} at once`
  console.log(
    `\nCPU of a list of 20, ${load}, µs (mean of ${rounds - warmUp} × ${callsARound} calls)`,
  )
  for (const { name, mean, low, high } of costs) {
    const times = (mean / (costs[0]?.mean ?? Number.NaN)).toFixed(2)
    const spread = `${low.toFixed(1)} to ${high.toFixed(1)}`
    console.log(`${name.padEnd(32)} ${mean.toFixed(1).padStart(7)}   × ${times}   (${spread})`)
  }
}

try {
  await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      store.createPet({ name: `Animal ${index}`, categoryId: 7, status: 'available' }),
    ),
  )
  // One after the other, a process sleeps between its calls, and what it costs to wake is measured
  // with them; where CPU is scarce, calls overlap.
  const compared = [await compare(16), await compare(1)]
  if (options.json) console.log(JSON.stringify(compared))
  else for (const one of compared) show(one)
} finally {
  await stop()
}
