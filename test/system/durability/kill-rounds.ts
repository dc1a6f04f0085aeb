import { setTimeout as wait } from 'node:timers/promises'
import { expect } from 'vitest'
import { basePath } from '../../../generated/operations.ts'
import type { TestDatabase } from '../../helpers/databases/test-database.ts'
import { startServiceProcess } from '../../helpers/service-process.ts'

const writers = 8

type KillDatabase = Pick<TestDatabase, 'url' | 'execute'>

/**
 * Creates a pet, under its name as idempotency key if it may be sent again; rejects with a `TypeError`
 * when no whole response came, as `fetch` does.
 */
export async function createPet(origin: string, apiKey: string, name: string, once: boolean) {
  const usual = { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' }
  const response = await fetch(`${origin}${basePath}/pets`, {
    method: 'POST',
    headers: { ...usual, ...(once && { 'Idempotency-Key': name }) },
    body: JSON.stringify({ name, categoryId: 1 }),
  })
  const text = await response.text()
  if (response.status !== 201) throw new Error(`${response.status} ${text}`)
  const id = Number(JSON.parse(text).id)
  return { id, isRepeated: response.headers.get('Idempotent-Replayed') === 'true' }
}

/** Reads the pets of a database: their ids by their names, each of which must be stored once. */
async function readPets(db: KillDatabase): Promise<Map<string, number>> {
  if (db.url.startsWith('sqlite:')) {
    expect(await db.execute('PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }])
  }
  const rows = await db.execute('SELECT name, id FROM animals ORDER BY id')
  const idOf = new Map(rows.map(({ name, id }) => [String(name), Number(id)]))
  expect(rows.length, 'no name is stored twice').toBe(idOf.size)
  return idOf
}

/**
 * Kills a service again and again while eight writers write to it, and compares what is stored with
 * what was acknowledged. Returns how many creates were.
 */
export async function runKillRounds(db: KillDatabase, rounds: number): Promise<number> {
  const start = () => startServiceProcess({ RATE_LIMITS: 'off', DATABASE_URL: db.url })
  const first = await start()
  const apiKey = await first.firstKey()
  expect((await first.program.kill('SIGTERM')).status).toBe(0)

  const sent = new Set<string>()
  /** Names that were sent with an idempotency key. */
  const keyed = new Set<string>()
  const acknowledged = new Map<string, number>()

  /** Starts the service on what the last crash left, and checks that. */
  async function recover() {
    const { program, origin } = await start()
    // Read beside the service: reading an SQLite file before the start would recover it.
    const stored = await readPets(db)
    const lost = [...acknowledged].filter(([name, id]) => stored.get(name) !== id)
    expect(lost, 'acknowledged and not stored').toEqual([])
    const unknown = [...stored.keys()].filter((name) => !sent.has(name))
    expect(unknown, 'stored and never sent').toEqual([])
    let highestId = Math.max(0, ...stored.values())
    for (const name of keyed.difference(acknowledged)) {
      const { id, isRepeated } = await createPet(origin, apiKey, name, true)
      expect(isRepeated, name).toBe(stored.has(name))
      expect(id, name).toBe(stored.get(name) ?? Math.max(id, highestId + 1))
      highestId = Math.max(highestId, id)
      acknowledged.set(name, id)
    }
    return { program, origin, highestId }
  }

  async function runRound(round: number): Promise<void> {
    const { program, origin, highestId } = await recover()
    const begun = Promise.withResolvers<void>()
    let isKilled = false

    /** Creates one pet after the other; every third in a way that lets it be sent again. */
    async function write(writer: number): Promise<void> {
      let lastId = highestId
      for (let number = 0; ; number++) {
        const name = `round ${round}, writer ${writer}, pet ${number}`
        const once = number % 3 === 0
        sent.add(name)
        if (once) keyed.add(name)
        const { id, isRepeated } = await createPet(origin, apiKey, name, once)
        expect(isRepeated).toBe(false)
        expect(id).toBeGreaterThan(lastId)
        lastId = id
        acknowledged.set(name, id)
        begun.resolve()
      }
    }

    const writing = Array.from({ length: writers }, (_, writer) =>
      write(writer).catch((error: unknown) => {
        begun.resolve()
        // A connection breaks when the service is killed, and at no other time.
        if (!isKilled || !(error instanceof TypeError)) throw error
      }),
    )
    await begun.promise
    await wait(20 + Math.random() * 180)
    isKilled = true
    expect((await program.kill('SIGKILL')).signal).toBe('SIGKILL')
    await Promise.all(writing)
  }

  for (let round = 0; round < rounds; round++) await runRound(round)
  await recover()
  return acknowledged.size
}
