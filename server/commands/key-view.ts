import type { KeyRecord } from '../store/key-store.ts'

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
export function toTable(records: readonly KeyRecord[]): string {
  if (records.length === 0)
    return 'There are no keys yet. Issue one: npm run keys -- issue --plan free'
  const head = ['ID', 'NAME', 'PLAN', 'PER MINUTE', 'PER DAY', 'PREFIX', 'CREATED', 'STATE']
  const rows = [head, ...records.map(toCells)]
  const widths = head.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

function toCells(record: KeyRecord): string[] {
  const { id, name, plan, perMinute, perDay, prefix, createdAt } = record
  const created = new Date(createdAt).toISOString().slice(0, 10)
  const limits = [String(perMinute), String(perDay)]
  return [id, name ?? '-', plan, ...limits, `${prefix}…`, created, stateOf(record)]
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
