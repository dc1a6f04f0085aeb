import { issueKey, type KeyTerms } from '../auth/api-key.ts'
import { dayOf } from '../auth/usage-counter.ts'
import type { KeyRecord, KeyStore, KeyUse } from '../store/key-store.ts'
import type { Store } from '../store/store.ts'
import { CommandError } from './command.ts'

/** What a command prints: the result on standard output, a note on standard error. */
export interface Printed {
  readonly out: string
  readonly note?: string
}

const revokedEverywhere = 'is revoked. Running services reject it within 5 seconds.'

/** Issues a key. */
export async function issue(keys: KeyStore, terms: KeyTerms, json: boolean): Promise<Printed> {
  const { key, record } = issueKey(terms)
  await keys.add(record)
  return printKey(key, record, json)
}

/** Lists every key, oldest first, with its use. */
export async function list({ keys, usage }: Store, json: boolean): Promise<Printed> {
  const records = await keys.list()
  const uses = new Map((await usage.list()).map((use) => [use.keyId, use]))
  if (!json) return { out: toTable(records, uses) }
  const listed = records.map((record) => {
    const use = uses.get(record.id)
    return { ...toJson(record), usedToday: usedToday(use), lastUsedAt: toText(use?.lastUsedAt) }
  })
  return { out: print(listed) }
}

/**
 * Issues a key in place of another one, which expires after an overlap in milliseconds. Without an
 * overlap it is revoked, because an expiry depends on the clocks of the services.
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
  const end = revokedAt === undefined ? `ends at ${toText(expiresAt)}.` : revokedEverywhere
  return printKey(key, record, json, `Key ${id} ${end}`)
}

function assertRotatable({ id, replacedBy, revokedAt, expiresAt }: KeyRecord, now: number): void {
  if (replacedBy !== undefined) {
    const message = `Key ${id} was rotated already. Rotate its successor ${replacedBy} instead.`
    throw new CommandError(message)
  }
  if (revokedAt !== undefined || (expiresAt ?? now + 1) <= now) {
    throw new CommandError(`Key ${id} has ended already. Issue a new one.`)
  }
}

/** Revokes a key. */
export async function revoke(keys: KeyStore, id: string, json: boolean): Promise<Printed> {
  await find(keys, id)
  await keys.revoke(id, Date.now())
  if (!json) return { out: `Key ${id} ${revokedEverywhere}` }
  return { out: print(toJson(await find(keys, id))) }
}

async function find(keys: KeyStore, id: string): Promise<KeyRecord> {
  const record = await keys.find(id)
  if (record !== undefined) return record
  const name = JSON.stringify(id.slice(0, 100))
  throw new CommandError(`There is no key ${name}. See: npm run keys -- list`)
}

function printKey(key: string, record: KeyRecord, json: boolean, more = ''): Printed {
  if (json) return { out: print({ ...toJson(record), key }) }
  const { id, plan, expiresAt } = record
  const end = expiresAt === undefined ? '' : `, until ${toText(expiresAt)}`
  const note = `Key ${id}, plan ${plan}${end}. It is shown this once: keep it now. ${more}`
  return { out: key, note: note.trimEnd() }
}

function print(value: unknown): string {
  return JSON.stringify(value, null, 2)
}

function toJson(record: KeyRecord) {
  return {
    id: record.id,
    name: record.name ?? null,
    plan: record.plan,
    perMinute: record.perMinute,
    perDay: record.perDay,
    prefix: record.prefix,
    createdAt: toText(record.createdAt),
    expiresAt: toText(record.expiresAt),
    revokedAt: toText(record.revokedAt),
  }
}

const columns = 'ID,NAME,PLAN,PER MINUTE,PER DAY,PREFIX,USED TODAY,LAST USED,STATE'.split(',')

function toTable(records: readonly KeyRecord[], uses: ReadonlyMap<string, KeyUse>): string {
  if (records.length === 0) {
    return 'There are no keys yet. Issue one: npm run keys -- issue --plan free'
  }
  const rows = [columns, ...records.map((record) => toCells(record, uses.get(record.id)))]
  const widths = columns.map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)))
  const lines = rows.map((row) =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd(),
  )
  const note = 'Use is written every few seconds: it is approximate. Days are UTC.'
  return [...lines, '', note].join('\n')
}

function toCells(record: KeyRecord, use: KeyUse | undefined): string[] {
  const { id, name, plan, perMinute, perDay, prefix } = record
  const used = `${usedToday(use)} (${Math.floor((100 * usedToday(use)) / perDay)} %)`
  const lastUsed = toText(use?.lastUsedAt)?.slice(0, 16).replace('T', ' ') ?? 'never'
  const limits = [String(perMinute), String(perDay)]
  return [id, name ?? '-', plan, ...limits, `${prefix}…`, used, lastUsed, stateOf(record)]
}

function usedToday(use: KeyUse | undefined): number {
  return use?.day === dayOf(Date.now()) ? use.requests : 0
}

function stateOf({ revokedAt, expiresAt }: KeyRecord): string {
  if (revokedAt !== undefined) return `revoked ${toText(revokedAt)}`
  if (expiresAt === undefined) return 'active'
  return `${expiresAt <= Date.now() ? 'expired' : 'active until'} ${toText(expiresAt)}`
}

function toText(time: number | undefined): string | null {
  return time === undefined ? null : new Date(time).toISOString()
}
