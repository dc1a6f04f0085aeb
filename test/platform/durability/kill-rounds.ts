import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { engines } from '../../helpers/databases/engines.ts'
import type { TestDatabase } from '../../helpers/databases/test-database.ts'
import { tools } from '../../helpers/fixture-service.ts'
import { startServiceProcess } from '../../helpers/service-process.ts'

const writers = 8

/** Tests that a service which is killed again and again keeps what it acknowledged, in each database. */
export function testKills(rounds: number, timeout: number): void {
  test.for(engines)(
    `after each of ${rounds} kills under eight writers every acknowledged create is stored once, and one without a response is repeated under its idempotency key, in $name`,
    { timeout },
    async ({ createTestDatabase }) => runKillRounds(await createTestDatabase(), rounds),
  )
}

/** Reads the tools of a database: their ids by their names, each of which must be stored once. */
async function readTools({ url, execute }: TestDatabase): Promise<Map<string, number>> {
  if (url.startsWith('sqlite:')) {
    expect(await execute('PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }])
  }
  const rows = await execute('SELECT document, id FROM tools')
  const idOf = new Map(
    rows.map(({ document, id }) => {
      const { name }: { readonly name: string } = JSON.parse(String(document))
      return [name, Number(id)]
    }),
  )
  expect(rows.length, 'no name is stored twice').toBe(idOf.size)
  return idOf
}

async function runKillRounds(db: TestDatabase, rounds: number): Promise<void> {
  const start = () => startServiceProcess({ RATE_LIMITS: 'off', DATABASE_URL: db.url })
  const first = await start()
  const apiKey = await first.firstKey()
  expect((await first.program.kill('SIGTERM')).status).toBe(0)

  /** Names that were sent with an idempotency key, or without one. */
  const sent = new Map<string, boolean>()
  const acknowledged = new Map<string, number>()

  /**
   * Creates a tool, under its name as idempotency key if it may be sent again; rejects with a `TypeError`
   * when no whole response came, as `fetch` does. Returns whether it was there before.
   */
  async function create(origin: string, name: string, isKeyed: boolean): Promise<boolean> {
    sent.set(name, isKeyed)
    const usual = { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' }
    const response = await fetch(origin + tools, {
      method: 'POST',
      headers: { ...usual, ...(isKeyed && { 'Idempotency-Key': name }) },
      body: JSON.stringify({ kind: 'saw', name }),
    })
    const text = await response.text()
    expect(response.status, text).toBe(201)
    const { id }: { readonly id: number } = JSON.parse(text)
    acknowledged.set(name, id)
    return response.headers.get('Idempotent-Replayed') === 'true'
  }

  /** Starts the service on what the last crash left, and checks that. */
  async function recover() {
    const { program, origin } = await start()
    // Read beside the service: reading an SQLite file before the start would recover it.
    const stored = await readTools(db)
    const lost = [...acknowledged].filter(([name, id]) => stored.get(name) !== id)
    expect(lost, 'acknowledged and not stored').toEqual([])
    const unknown = [...stored.keys()].filter((name) => !sent.has(name))
    expect(unknown, 'stored and never sent').toEqual([])
    for (const [name, isKeyed] of sent) {
      if (!isKeyed || acknowledged.has(name)) {
        continue
      }
      expect(await create(origin, name, true), name).toBe(stored.has(name))
      if (stored.has(name)) {
        expect(acknowledged.get(name), name).toBe(stored.get(name))
      }
    }
    return { program, origin }
  }

  for (let round = 0; round < rounds; round++) {
    const { program, origin } = await recover()
    await create(origin, `round ${round}`, true)
    let isKilled = false
    const writing = Array.from({ length: writers }, async (_, writer) => {
      try {
        for (let number = 0; ; number++) {
          const name = `round ${round}, writer ${writer}, tool ${number}`
          expect(await create(origin, name, number % 3 === 0)).toBe(false)
        }
      } catch (error) {
        // A connection breaks when the service is killed, and at no other time.
        if (!isKilled || !(error instanceof TypeError)) {
          throw error
        }
      }
    })
    const ended = Promise.all(writing)
    await Promise.race([wait(20 + Math.random() * 180), ended])
    isKilled = true
    expect((await program.kill('SIGKILL')).signal).toBe('SIGKILL')
    await ended
  }
  await recover()
}
