import { randomInt } from 'node:crypto'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createRandom } from '../support/random.ts'
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts'
import { createTemporaryFolder } from '../support/temporary-folder.ts'
import { addAnimal, type Door, writeUntilCrash } from './crash-writers.ts'
import { createLedger, type Ledger } from './ledger.ts'

const crashes = 200
const laneNames = ['east', 'west']

/** Crashes one after the other, on one database. */
interface Lane {
  readonly name: string
  readonly file: string
  readonly ledger: Ledger
  readonly apiKey: string
  readonly random: () => number
  /** Milliseconds that each start took. */
  readonly starts: number[]
}

const quiet = { RATE_LIMITS: 'off' }

async function openLane(name: string, seed: number): Promise<Lane> {
  const file = join(createTemporaryFolder(), 'store.sqlite')
  const service = await startServiceProcess(file, quiet)
  const apiKey = await service.firstKey()
  const { status } = await service.program.kill('SIGTERM')
  expect(status).toBe(0)
  return { name, file, ledger: createLedger(), apiKey, random: createRandom(seed), starts: [] }
}

interface Recovered {
  readonly service: ServiceProcess
  readonly door: Door
  readonly highestId: number
}

/** Starts the service on what the last crash left, and holds that against what was promised. */
async function recover({ file, ledger, apiKey, starts }: Lane): Promise<Recovered> {
  const service = await startServiceProcess(file, quiet)
  starts.push(service.startedIn)
  // The file is read beside the running service: thousands of animals a round would take minutes
  // through the API, and reading before the start would do the recovery in the service's place.
  let { idOf, highestId } = ledger.check(file)
  const door = { origin: service.origin, apiKey }
  for (const name of ledger.toRepeat) {
    const { id, isReplay } = await addAnimal(door, name, true)
    expect(isReplay, name).toBe(idOf.has(name))
    expect(id, name).toBe(idOf.get(name) ?? Math.max(id, highestId + 1))
    highestId = Math.max(highestId, id)
    ledger.acknowledge(name, id)
  }
  ledger.toRepeat.clear()
  return { service, door, highestId }
}

async function crash(lane: Lane, round: number): Promise<void> {
  const { service, door, highestId } = await recover(lane)
  const label = `${lane.name}, round ${round}`
  await writeUntilCrash(
    { door, ledger: lane.ledger, label, highestId },
    { after: 20 + lane.random() * 180, kill: () => service.program.kill('SIGKILL') },
  )
  expect((await service.program.ended).signal).toBe('SIGKILL')
}

/** Every animal that the API lists, page by page. */
async function listAll({ origin, apiKey }: Door): Promise<Map<string, number>> {
  const idOf = new Map<string, number>()
  let path: string | undefined = '/v1/pets?limit=100'
  while (path !== undefined) {
    const response: Response = await fetch(new URL(path, origin), {
      headers: { Authorization: `Bearer ${apiKey}` },
    })
    const page: { id: number; name: string }[] = await response.json()
    for (const { id, name } of page) idOf.set(name, id)
    path = /<(.+)>; rel="next"/.exec(response.headers.get('Link') ?? '')?.[1]
  }
  return idOf
}

async function run(lane: Lane): Promise<void> {
  for (let round = 0; round < crashes / laneNames.length; round++) await crash(lane, round)
  const { service, door } = await recover(lane)
  expect(await listAll(door)).toEqual(lane.ledger.check(lane.file).idOf)
  await service.program.kill('SIGTERM')
}

test('every acknowledged animal is there once after each of 200 kills under eight writers', {
  timeout: 900_000,
}, async () => {
  const seed = Number(process.env['DURABILITY_SEED'] || randomInt(2 ** 31))
  console.log(`DURABILITY_SEED=${seed} repeats the moments of these kills`)
  const from = performance.now()
  const lanes = await Promise.all(laneNames.map((name, index) => openLane(name, seed + index)))
  await Promise.all(lanes.map(run))
  const seconds = ((performance.now() - from) / 1000).toFixed(0)
  const animals = lanes.reduce((sum, { ledger }) => sum + ledger.acknowledged.size, 0)
  const starts = lanes.flatMap((lane) => lane.starts).sort((a, b) => a - b)
  const start = starts[starts.length >> 1]?.toFixed(0)
  console.log(`${crashes} kills, ${animals} animals, ${seconds} s, a start in ${start} ms (median)`)
})
