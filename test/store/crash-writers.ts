import { setTimeout as wait } from 'node:timers/promises'
import { expect } from 'vitest'
import type { Ledger } from './ledger.ts'

/** Where writers write to, and with which key. */
export interface Door {
  readonly origin: string
  readonly apiKey: string
}

export interface Acknowledged {
  readonly id: number
  readonly isReplay: boolean
}

/** Adds an animal; rejects with a `TypeError` when no whole answer came, as `fetch` does. */
export async function addAnimal(door: Door, name: string, once: boolean): Promise<Acknowledged> {
  const response = await fetch(`${door.origin}/v1/pets`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${door.apiKey}`,
      'Content-Type': 'application/json',
      ...(once ? { 'Idempotency-Key': name } : {}),
    },
    body: JSON.stringify({ name, categoryId: 1 }),
  })
  const text = await response.text()
  if (response.status !== 201) throw new Error(`${response.status} ${text}`)
  return {
    id: JSON.parse(text).id,
    isReplay: response.headers.get('Idempotent-Replayed') === 'true',
  }
}

interface Crash {
  /** Milliseconds after the first acknowledgement. */
  readonly after: number
  readonly kill: () => Promise<unknown>
}

interface Writing {
  readonly door: Door
  readonly ledger: Ledger
  /** Makes the names of one crash unique. */
  readonly label: string
  /** The highest id that is taken. */
  readonly highestId: number
}

const writers = 8

/** Lets writers write until the service is killed. */
export async function writeUntilCrash(writing: Writing, crash: Crash): Promise<void> {
  const first = Promise.withResolvers<void>()
  let isKilled = false

  async function writeOn(writer: number): Promise<void> {
    const write = createWriter(writing, `writer ${writer}`)
    try {
      for (;;) {
        await write()
        first.resolve()
      }
    } catch (error) {
      // A connection breaks when the service is killed, and at no other time.
      if (!isKilled || !(error instanceof TypeError)) throw error
    }
  }

  async function kill(): Promise<void> {
    await first.promise
    await wait(crash.after)
    isKilled = true
    await crash.kill()
  }

  await Promise.all([kill(), ...Array.from({ length: writers }, (_, writer) => writeOn(writer))])
}

/** Adds one animal after the other; every third in a way that lets it be sent again. */
function createWriter({ door, ledger, label, highestId }: Writing, writer: string) {
  let turn = 0
  let lastId = highestId
  let lastOnce: string | undefined
  return async (): Promise<void> => {
    const name = `${label}, ${writer}, animal ${turn}`
    const once = turn % 3 === 0
    turn += 1
    ledger.send(name)
    if (once) {
      if (lastOnce !== undefined) ledger.toRepeat.delete(lastOnce)
      ledger.toRepeat.add(name)
      lastOnce = name
    }
    const { id, isReplay } = await addAnimal(door, name, once)
    expect(isReplay).toBe(false)
    expect(id).toBeGreaterThan(lastId)
    lastId = id
    ledger.acknowledge(name, id)
  }
}
