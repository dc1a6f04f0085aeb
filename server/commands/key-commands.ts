import { issueKey, type KeyTerms } from '../auth/issue.ts'
import type { KeyRecord, KeyStore } from '../store/key-store.ts'
import type { Store } from '../store/store.ts'
import { CommandRefused } from './command-refused.ts'
import { toJson, toListed, toTable } from './key-view.ts'

/** What a command prints: the result on standard output, what a person should know on the other. */
export interface Printed {
  readonly out: string
  readonly note?: string
}

const revokedForAll = 'is revoked. Running services reject it within 5 seconds.'

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

/**
 * `keys rotate`: issues a key in place of another one, which expires after an overlap in
 * milliseconds, or is revoked if there is none: an expiry needs clocks that agree.
 */
export async function rotate(
  keys: KeyStore,
  id: string,
  overlap: number,
  json: boolean,
): Promise<Printed> {
  const old = await find(keys, id)
  const now = Date.now()
  assertRotatable(old, now)
  const expiresAt = Math.min(old.expiresAt ?? Number.POSITIVE_INFINITY, now + overlap)
  const revokedAt = overlap === 0 ? now : undefined
  const { key, record } = issueKey(old)
  const isReplaced = await keys.replace(id, { expiresAt, revokedAt }, record)
  // Another command rotated or revoked the key in the meantime: report what it is now.
  if (!isReplaced) return rotate(keys, id, overlap, json)
  const end =
    revokedAt === undefined ? `ends at ${new Date(expiresAt).toISOString()}.` : revokedForAll
  return printKey(key, record, json, `Key ${id} ${end}`)
}

function assertRotatable({ id, replacedBy, revokedAt, expiresAt }: KeyRecord, now: number): void {
  if (replacedBy !== undefined) {
    const message = `Key ${id} was rotated already. Rotate its successor ${replacedBy} instead.`
    throw new CommandRefused(message)
  }
  if (revokedAt !== undefined || (expiresAt ?? now + 1) <= now) {
    throw new CommandRefused(`Key ${id} has ended already. Issue a new one.`)
  }
}

/** `keys revoke`: ends a key for good. */
export async function revoke(keys: KeyStore, id: string, json: boolean): Promise<Printed> {
  await find(keys, id)
  await keys.revoke(id, Date.now())
  const record = await find(keys, id)
  return json ? { out: print(toJson(record)) } : { out: `Key ${id} ${revokedForAll}` }
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
