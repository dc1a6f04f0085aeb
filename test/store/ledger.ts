import { DatabaseSync } from 'node:sqlite'
import { expect } from 'vitest'

/** What the writers of one database were told, to be held against its file. */
export interface Ledger {
  /** Notes a name before it is sent. */
  readonly send: (name: string) => void
  readonly acknowledge: (name: string, id: number) => void
  readonly acknowledged: ReadonlyMap<string, number>
  /** Names that were sent with an idempotency key, to be sent again after the crash. */
  readonly toRepeat: Set<string>
  /** Holds a file against what was acknowledged; gives the rows in it. */
  readonly check: (file: string) => StoredAnimals
}

export interface StoredAnimals {
  readonly idOf: ReadonlyMap<string, number>
  readonly highestId: number
}

export function createLedger(): Ledger {
  const sent = new Set<string>()
  const acknowledged = new Map<string, number>()
  return {
    acknowledged,
    toRepeat: new Set(),
    send(name) {
      // Names are never used twice: a name that is stored twice was stored twice for one request.
      if (sent.has(name)) throw new Error(`${name} was sent before.`)
      sent.add(name)
    },
    acknowledge(name, id) {
      const before = acknowledged.get(name)
      if (before !== undefined && before !== id) throw new Error(`${name} is ${before} and ${id}.`)
      acknowledged.set(name, id)
    },
    check(file) {
      const stored = readAnimals(file)
      const lost = [...acknowledged].filter(([name, id]) => stored.idOf.get(name) !== id)
      expect(lost, 'acknowledged and not stored').toEqual([])
      const unknown = [...stored.idOf.keys()].filter((name) => !sent.has(name))
      expect(unknown, 'stored and never sent').toEqual([])
      return stored
    },
  }
}

function readAnimals(file: string): StoredAnimals {
  const database = new DatabaseSync(file, { readOnly: true })
  try {
    expect(database.prepare('PRAGMA integrity_check').all()).toEqual([{ integrity_check: 'ok' }])
    const rows = database.prepare('SELECT name, id FROM animals ORDER BY id').all()
    const idOf = new Map(rows.map(({ name, id }) => [String(name), Number(id)]))
    expect(rows.length, 'no name is stored twice').toBe(idOf.size)
    return { idOf, highestId: Number(rows.at(-1)?.['id'] ?? 0) }
  } finally {
    database.close()
  }
}
