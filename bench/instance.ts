// What a request costs an instance and its database, in CPU, on each engine, with limits:
// node bench/instance.ts [POSTGRES_URL REDIS_URL], for an empty database. Linux only.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { issueRoomyKey } from './issued-key.ts'
import { startLocalService } from './local-service.ts'

const [postgres, redis] = process.argv.slice(2)
const [warmUp, requests, atOnce] = [2_000, 10_000, 16]
const animal = JSON.stringify({ name: 'Rex', categoryId: 7, status: 'available' })

const folder = mkdtempSync(join(tmpdir(), 'animal-store-bench-'))
const environments = new Map([['SQLite', { DATABASE_URL: `sqlite:${folder}/store.sqlite` }]])
if (postgres !== undefined) environments.set('PostgreSQL', { DATABASE_URL: postgres })
if (postgres !== undefined && redis !== undefined) {
  const both = { DATABASE_URL: postgres, REDIS_URL: redis }
  environments.set('PostgreSQL and Redis', both)
}

/** Microseconds of CPU that processes of a name have taken. */
function cpuOf(isMeant: (name: string, id: number) => boolean): number {
  let ticks = 0
  for (const id of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const [, name = '', fields = ''] =
        /\((.*)\) (.*)/s.exec(readFileSync(`/proc/${id}/stat`, 'utf8')) ?? []
      const [user, system] = fields.split(' ').slice(11, 13).map(Number)
      if (isMeant(name, Number(id))) ticks += (user ?? 0) + (system ?? 0)
    } catch {
      // It ended meanwhile.
    }
  }
  // A hundred a second, on every Linux.
  return ticks * 10_000
}

async function repeat(count: number, send: () => Promise<Response>): Promise<void> {
  const worker = async (): Promise<void> => {
    for (let turn = 0; turn < count / atOnce; turn++) {
      const response = await send()
      if (!response.ok) throw new Error(`status ${response.status}: ${await response.text()}`)
      await response.arrayBuffer()
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
}

async function measure(place: string, environment: Record<string, string>): Promise<void> {
  const service = await startLocalService({
    ...environment,
    NODE_ENV: 'production',
    RATE_LIMITS: 'on',
  })
  try {
    const headers = {
      Authorization: `Bearer ${await issueRoomyKey(environment['DATABASE_URL'] ?? '')}`,
      'Content-Type': 'application/json',
    }
    const pets = `${service.baseUrl}/pets`
    const create = () => fetch(pets, { method: 'POST', headers, body: animal })
    const ways = {
      'create an animal': create,
      'list 20 animals': () => fetch(`${pets}?limit=20`, { headers }),
      'get an animal': () => fetch(`${pets}/7`, { headers }),
    }
    for (const [what, send] of Object.entries(ways)) {
      await repeat(warmUp, send)
      const own = () => cpuOf((_, id) => id === service.processId)
      const databases = () => cpuOf((name) => name === 'postgres')
      const [ownBefore, databasesBefore, from] = [own(), databases(), performance.now()]
      await repeat(requests, send)
      const seconds = (performance.now() - from) / 1000
      const each = (cpu: number) => (cpu / requests).toFixed(0).padStart(5)
      const cost = own() - ownBefore
      console.log(
        `${place.padEnd(22)}${what.padEnd(18)}${each(cost)} µs, database${each(databases() - databasesBefore)} µs, ` +
          `a core carries ${((requests / cost) * 1e6).toFixed(0)} a second (here ${(requests / seconds).toFixed(0)})`,
      )
    }
  } finally {
    await service.stop()
  }
}

try {
  for (const [place, environment] of environments) await measure(place, environment)
} finally {
  rmSync(folder, { recursive: true })
}
