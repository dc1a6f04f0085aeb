import type { Ledger } from './ledger.ts'
import type { Answer, Wanted } from './sender.ts'

/**
 * A kind of request. One that is `good` has to succeed, one that is `bad` to be refused; of `wild`
 * ones the connection may just be closed.
 */
export interface Kind {
  readonly name: `${'good' | 'bad' | 'wild'}: ${string}`
  /** How often it is sent, beside the others. */
  readonly weight: number
  readonly run: () => Promise<Answer>
}

/** What requests are made with. */
export interface Means {
  readonly baseUrl: string
  readonly apiKey: string
  readonly ledger: Ledger
  /** From 0 to below 1. */
  readonly random: () => number
  readonly send: (wanted: Wanted, leaveAfter?: number) => Promise<Answer>
}

/** Chooses one of some things. */
export function pick<Item>(random: () => number, items: readonly [Item, ...Item[]]): Item {
  return items[Math.floor(random() * items.length)] ?? items[0]
}

/** The fields of a request with a key, and with a body in JSON. */
export function fieldsOf(apiKey: string): Record<'key' | 'json', Readonly<Record<string, string>>> {
  const key = { Authorization: `Bearer ${apiKey}` }
  return { key, json: { ...key, 'Content-Type': 'application/json' } }
}
