import { issueKey, type KeyTerms } from '../access/issue.ts'
import type { KeyRecord, KeyStore } from '../store/key-store.ts'
import type { Store } from '../store/store.ts'
import { CommandRefused } from './command-refused.ts'
import { toJson, toListed, toTable } from './key-view.ts'

/** What a command prints: the result on standard output, what a person should know on the other. */
export interface Printed {
  readonly out: string
  readonly note?: string
}

/** `keys issue`: makes a key. */
export async function issue(keys: KeyStore, terms: KeyTerms, json: boolean): Promise<Printed> {
  const { key, record } = issueKey(terms)
  await keys.add(record)
  return printKey(key, record, json)
}

/** `keys list`: shows every key, oldest first, with what it used today. */
export async function list({ keys, usage }: Store, json: boolean): Promise<Printed> {
  const records = await keys.list()
  const uses = new Map((await usage.list()).map((use) => [use.keyId, use]))
  const useOf = (id: string) => uses.get(id)
  if (!json) return { out: toTable(records, useOf) }
  return { out: print(records.map((record) => toListed(record, useOf(record.id)))) }
}

/** `keys rotate`: makes a key in the place of another, which ends after an overlap in milliseconds. */
export async function rotate(
  keys: KeyStore,
  id: string,
  overlap: number,
  json: boolean,
): Promise<Printed> {
  const old = await find(keys, id)
  const now = Date.now()
  const endsAt = Math.min(old.expiresAt ?? Number.POSITIVE_INFINITY, now + overlap)
  if (old.revokedAt !== undefined || (old.expiresAt ?? now + 1) <= now) {
    throw new CommandRefused(`Key ${id} has ended already. Issue a new one.`)
  }
  if (old.replacedBy !== undefined) {
    const message = `Key ${id} was rotated already. Rotate its successor ${old.replacedBy} instead.`
    throw new CommandRefused(message)
  }
  const { key, record } = issueKey(old)
  await keys.replace(id, endsAt, record)
  return printKey(key, record, json, `Key ${id} ends at ${new Date(endsAt).toISOString()}.`)
}

/** `keys revoke`: ends a key for good. */
export async function revoke(keys: KeyStore, id: string, json: boolean): Promise<Printed> {
  await find(keys, id)
  await keys.revoke(id, Date.now())
  const record = await find(keys, id)
  return json
    ? { out: print(toJson(record)) }
    : { out: `Key ${id} is revoked. Running services refuse it within 5 seconds.` }
}

async function find(keys: KeyStore, id: string): Promise<KeyRecord> {
  const record = await keys.find(id)
  if (record !== undefined) return record
  throw new CommandRefused(
    `There is no key ${JSON.stringify(id.slice(0, 100))}. See: npm run keys -- list`,
  )
}

function printKey(key: string, record: KeyRecord, json: boolean, more = ''): Printed {
  if (json) return { out: print(toJson(record, key)) }
  const { id, plan, expiresAt } = record
  const end = expiresAt === undefined ? '' : `, until ${new Date(expiresAt).toISOString()}`
  const note = `Key ${id}, plan ${plan}${end}. It is shown this once: keep it now. ${more}`
  return { out: key, note: note.trimEnd() }
}

function print(value: unknown): string {
  return JSON.stringify(value, null, 2)
}
