// What a call through the client costs beside a bare `fetch`, in CPU of this process:
// node bench/client-call.ts
import createFetchClient from 'openapi-fetch'
import { createAnimalStore } from '../client/index.ts'
import type { paths } from '../generated/openapi.d.ts'
import { startLocalService } from './local-service.ts'
import { median, percentile } from './statistics.ts'

const [rounds, warmUp, callsARound] = [150, 30, 200]

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

const ways = new Map<string, () => Promise<unknown>>([
  ['bare fetch', () => fetchBare()],
  ['fetch with AbortSignal.timeout', () => fetchBare({ signal: AbortSignal.timeout(30_000) })],
  ['openapi-fetch', () => raw.GET('/pets', { params: { query: { limit: 20 } } })],
  ['animal-store-client', async () => store.listPets({ limit: 20 })],
])

async function measure(call: () => Promise<unknown>): Promise<number> {
  const begin = process.cpuUsage()
  for (let count = 0; count < callsARound; count++) await call()
  const { user, system } = process.cpuUsage(begin)
  return (user + system) / callsARound
}

const measured = new Map([...ways.keys()].map((name) => [name, [] as number[]]))
try {
  await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      store.createPet({ name: `Animal ${index}`, categoryId: 7, status: 'available' }),
    ),
  )
  for (let round = 0; round < rounds; round++) {
    // Each round begins with another one, so that none always follows the same.
    const order = [...ways].map((_, index, all) => all[(index + round) % all.length])
    for (const way of order) {
      if (way === undefined) continue
      const [name, call] = way
      const cost = await measure(call)
      if (round >= warmUp) measured.get(name)?.push(cost)
    }
    if (process.stderr.isTTY) process.stderr.write(`\rround ${round + 1} of ${rounds}`)
  }
} finally {
  await stop()
}

const bare = measured.get('bare fetch') ?? []
console.log(`\nCPU of a list of 20, µs (median of ${bare.length} rounds of ${callsARound} calls)`)
for (const [name, costs] of measured) {
  // Rounds are compared with their neighbour: the machine is the same for both.
  const ratio = median(costs.map((cost, index) => cost / (bare[index] ?? cost)))
  const spread = `${percentile(costs, 0.1).toFixed(1)} to ${percentile(costs, 0.9).toFixed(1)}`
  console.log(
    `${name.padEnd(32)} ${median(costs).toFixed(1).padStart(7)}   × ${ratio.toFixed(2)}   (${spread})`,
  )
}
