import { setTimeout as wait } from 'node:timers/promises'
import type { Connection } from './connection.ts'

/** Milliseconds after which nobody waits for an answer any more. */
const patience = 2_000

/** What load is put on a service. */
export interface Load {
  readonly request: Buffer
  /** Requests a second, whatever comes of them. */
  readonly rate: number
  readonly seconds: number
}

/** What came of the requests that were due while it was measured. */
export interface Outcome {
  due: number
  served: number
  refused: number
  /** Answered too late, or with anything else. */
  failed: number
  /** Not sent, because every client was still waiting for an answer. */
  unsent: number
  /** Milliseconds from when each request that was served was due until it was answered. */
  readonly waits: number[]
}

/**
 * Offers requests on the connections of as many clients, at a rate that does not depend on what is
 * answered (an open loop), as long as there is a client that does not wait for an answer. The first
 * seconds, in which the service comes to know of its overload, are not measured.
 */
export async function offer(
  clients: readonly Connection[],
  { request, rate, seconds }: Load,
  unmeasured = 2,
): Promise<Outcome> {
  const outcome: Outcome = { due: 0, served: 0, refused: 0, failed: 0, unsent: 0, waits: [] }
  const free = [...clients]
  const begin = performance.now()
  const from = begin + unmeasured * 1000
  const end = from + seconds * 1000

  function send(client: Connection, dueAt: number): void {
    client.send(request, (status) => {
      if (status !== 0) free.push(client)
      const now = performance.now()
      if (now >= from && now < end) note(outcome, status, now - dueAt)
    })
  }

  for (let made = 0; performance.now() < end; await wait(1)) {
    const due = Math.floor(((performance.now() - begin) / 1000) * rate)
    const chosen = free.splice(0, due - made)
    for (const [index, client] of chosen.entries()) {
      send(client, begin + ((made + index) / rate) * 1000)
    }
    if (performance.now() >= from) {
      outcome.due += due - made
      outcome.unsent += due - made - chosen.length
    }
    made = due
  }
  return outcome
}

function note(outcome: Outcome, status: number, waited: number): void {
  if (status >= 200 && status < 300 && waited <= patience) {
    outcome.served++
    outcome.waits.push(waited)
  } else if (status === 503) outcome.refused++
  else outcome.failed++
}
