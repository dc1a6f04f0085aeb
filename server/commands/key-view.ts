import { dayOf } from '../auth/usage-counter.ts'
import type { KeyRecord } from '../store/key-store.ts'
import type { KeyUse } from '../store/usage-store.ts'

/** How much a key was used; undefined when it never was. */
export type Use = KeyUse | undefined

/** A key as `--json` shows it in a list, with what it used today (UTC), about. */
export function toListed(record: KeyRecord, use: Use) {
  return { ...toJson(record), usedToday: usedToday(use), lastUsedAt: toText(use?.lastUsedAt) }
}

/** A key as `--json` shows it; `key` itself only when it was just made. */
export function toJson(record: KeyRecord, key?: string) {
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
    ...(key === undefined ? {} : { key }),
  }
}

/** Keys as a table for people. */
export function toTable(records: readonly KeyRecord[], useOf: (id: string) => Use): string {
  if (records.length === 0)
    return 'There are no keys yet. Issue one: npm run keys -- issue --plan free'
  const head = [
    'ID',
    'NAME',
    'PLAN',
    'PER MINUTE',
    'PER DAY',
    'PREFIX',
    'USED TODAY',
    'LAST USED',
    'STATE',
  ]
  const rows = [head, ...records.map((record) => toCells(record, useOf(record.id)))]
  const widths = head.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  const lines = rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
  return [...lines, '', 'Use is written every few seconds: it is approximate. Days are UTC.'].join(
    '\n',
  )
}

function toCells(record: KeyRecord, use: Use): string[] {
  const { id, name, plan, perMinute, perDay, prefix } = record
  const share = `${usedToday(use)} (${Math.floor((100 * usedToday(use)) / perDay)} %)`
  const lastUsed = toText(use?.lastUsedAt)?.slice(0, 16).replace('T', ' ') ?? 'never'
  const limits = [String(perMinute), String(perDay)]
  return [id, name ?? '-', plan, ...limits, `${prefix}…`, share, lastUsed, stateOf(record)]
}

function usedToday(use: Use): number {
  return use?.day === dayOf(Date.now()) ? use.requests : 0
}

function stateOf({ revokedAt, expiresAt }: KeyRecord): string {
  if (revokedAt !== undefined) return `revoked ${toText(revokedAt)}`
  if (expiresAt === undefined) return 'active'
  return expiresAt <= Date.now()
    ? `expired ${toText(expiresAt)}`
    : `active until ${toText(expiresAt)}`
}

function toText(time: number | undefined): string | null {
  return time === undefined ? null : new Date(time).toISOString()
}
