import { OperatorError, reasonOf } from '../process/operator-error.ts'
import { parseOptions, UsageError } from '../process/options.ts'
import { issueKey } from '../security/api-key.ts'
import type { Quota } from '../security/plans.ts'
import { dayOf } from '../security/usage-counter.ts'
import { plans } from '../served-api.ts'
import type { KeyRecord, KeyStore } from '../store/key-store.ts'
import type { KeyUse } from '../store/usage-store.ts'
import { onlyArgument, runCommand, withExistingStore, withStore } from './command.ts'

const planNames = Object.keys(plans)

const usage = `npm run keys -- issue --plan ${planNames.join('|')} [--name TEXT]
                      [--per-minute N --per-day N] [--expires ISO-DATE] [--json]
npm run keys -- list [--json]
npm run keys -- rotate ID [--overlap 24h] [--json]
npm run keys -- revoke ID [--json]`

const text = { type: 'string' } as const
const json = { type: 'boolean', default: false } as const
const nameOneKey = 'Name one key by its id. See: npm run keys -- list'
const isRevoked = 'is revoked. Running services reject it within 5 seconds.'

async function issue(args: string[]): Promise<void> {
  const options = { plan: text, name: text, expires: text, 'per-minute': text, 'per-day': text }
  const { values } = parseOptions({ args, options: { ...options, json } })
  const { plan = '', name, expires, 'per-minute': perMinute, 'per-day': perDay } = values
  const quota = toQuota(plan, perMinute, perDay)
  if (name !== undefined && !/^[^\p{Cc}]{1,200}$/u.test(name)) {
    throw new UsageError('--name must be 1 to 200 characters, without control characters.')
  }
  const expiresAt = expires === undefined ? undefined : toTime(expires)
  await withStore(async ({ keys }) => {
    const { key, record } = issueKey({ plan, name, expiresAt, ...quota })
    await keys.add(record)
    await printKey(key, record, values.json)
  })
}

/** Lists every key, oldest first, with its use. */
async function list(args: string[]): Promise<void> {
  const { values } = parseOptions({ args, options: { json } })
  await withExistingStore(async ({ keys, usage: uses }) => {
    const useOf = new Map((await uses.list()).map((use) => [use.keyId, use]))
    const listed = (await keys.list()).map((record) => toListed(record, useOf.get(record.id)))
    if (values.json) {
      printJson(listed)
    } else if (listed.length > 0) {
      printTable(listed.map(toRow))
    } else {
      console.log(`There are no keys yet. Issue one: npm run keys -- issue --plan ${planNames[0]}`)
    }
  })
}

/**
 * Issues a key in place of another one, which expires after the overlap. Without an overlap it is
 * revoked, because an expiry depends on the clocks of the services.
 */
async function rotate(args: string[]): Promise<void> {
  const options = { overlap: { type: 'string', default: '0s' }, json } as const
  const { values, positionals } = parseOptions({ args, options, allowPositionals: true })
  const id = onlyArgument(positionals, nameOneKey)
  const overlap = toDuration(values.overlap)
  await withExistingStore(async ({ keys }) => {
    // Another command may rotate or revoke the key in the meantime: then this reads it again.
    for (;;) {
      const old = await find(keys, id)
      const now = Date.now()
      assertRotatable(old, now)
      const expiresAt = Math.min(old.expiresAt ?? Number.POSITIVE_INFINITY, now + overlap)
      const revokedAt = overlap === 0 ? now : undefined
      const { key, record } = issueKey(old)
      if (!(await keys.replace(id, { expiresAt, revokedAt }, record))) {
        continue
      }
      const end = overlap === 0 ? isRevoked : `ends at ${toText(expiresAt)}.`
      return await printKey(key, record, values.json, ` Key ${id} ${end}`)
    }
  })
}

function assertRotatable({ id, replacedBy, revokedAt, expiresAt }: KeyRecord, now: number): void {
  if (replacedBy !== undefined) {
    const message = `Key ${id} was rotated already. Rotate its successor ${replacedBy} instead.`
    throw new OperatorError(message)
  }
  if (revokedAt !== undefined || (expiresAt ?? now + 1) <= now) {
    throw new OperatorError(`Key ${id} has ended already. Issue a new one.`)
  }
}

async function revoke(args: string[]): Promise<void> {
  const { values, positionals } = parseOptions({ args, options: { json }, allowPositionals: true })
  const id = onlyArgument(positionals, nameOneKey)
  await withExistingStore(async ({ keys }) => {
    await find(keys, id)
    await keys.revoke(id, Date.now())
    if (values.json) {
      printJson(toJson(await find(keys, id)))
    } else {
      console.log(`Key ${id} ${isRevoked}`)
    }
  })
}

async function find(keys: KeyStore, id: string): Promise<KeyRecord> {
  const record = await keys.find(id)
  if (record !== undefined) {
    return record
  }
  const name = JSON.stringify(id.slice(0, 100))
  throw new OperatorError(`There is no key ${name}. See: npm run keys -- list`)
}

/** Returns the quota of a key: that of its plan, or the one that the options of a custom plan say. */
function toQuota(plan: string, perMinute: string | undefined, perDay: string | undefined): Quota {
  const quota = Object.hasOwn(plans, plan) ? plans[plan] : undefined
  if (quota === undefined) {
    throw new UsageError(`--plan must be one of ${planNames.join(', ')}.`)
  }
  if (quota === 'custom') {
    return {
      perMinute: toCount(plan, '--per-minute', perMinute),
      perDay: toCount(plan, '--per-day', perDay),
    }
  }

  const isOther = perMinute !== undefined || perDay !== undefined
  if (isOther) {
    const place = 'whose quota is in server/api/plans.ts'
    throw new UsageError(`--per-minute and --per-day are not for --plan ${plan}, ${place}.`)
  }
  return quota
}

function toCount(plan: string, option: string, value = ''): number {
  if (/^0*[1-9]\d{0,11}$/.test(value)) {
    return Number(value)
  }
  throw new UsageError(`--plan ${plan} needs ${option} with a whole number from 1.`)
}

function toTime(expires: string): number {
  const isDate = /^\d{4}-\d\d-\d\d$/.test(expires)
  let time: number
  try {
    time = Temporal.Instant.from(isDate ? `${expires}T00Z` : expires).epochMilliseconds
  } catch {
    const forms = 'a date such as 2027-01-31, or a date-time with its zone'
    throw new UsageError(`--expires must be ${forms}.`)
  }
  if (time <= Date.now()) {
    throw new UsageError('--expires must lie in the future.')
  }
  return time
}

const units: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** Reads a duration such as `24h`, in milliseconds. */
function toDuration(overlap: string): number {
  const [, number, unit = ''] = /^(\d{1,6})([smhd])$/.exec(overlap) ?? []
  const length = units[unit]
  if (length !== undefined) {
    return Number(number) * length
  }
  throw new UsageError('--overlap must be a number with s, m, h or d, such as 24h.')
}

/** Prints the key alone on standard output, and a note about it on standard error. */
async function printKey(key: string, record: KeyRecord, asJson: boolean, more = '') {
  const { id, plan, expiresAt } = record
  if (!asJson) {
    const end = expiresAt === undefined ? '' : `, until ${toText(expiresAt)}`
    console.error(`Key ${id}, plan ${plan}${end}. It is shown only once: save it.${more}`)
  }
  const output = asJson ? JSON.stringify({ ...toJson(record), key }, null, 2) : key
  // `console.log` ignores errors.
  const error = await new Promise((settle) => {
    process.stdout.once('error', settle).write(`${output}\n`, settle)
  })
  if (!error) {
    return
  }
  const reason = reasonOf(error)
  throw new OperatorError(`The key could not be written: ${reason}. Rotate or revoke ${id}.`)
}

function printJson(value: unknown): void {
  console.log(JSON.stringify(value, null, 2))
}

function toJson(record: KeyRecord) {
  const { id, name = null, plan, perMinute, perDay, prefix } = record
  return {
    id,
    name,
    plan,
    perMinute,
    perDay,
    prefix,
    createdAt: toText(record.createdAt),
    expiresAt: toText(record.expiresAt),
    revokedAt: toText(record.revokedAt),
  }
}

/** Returns a key, its requests today, and the time of the last one. */
function toListed(record: KeyRecord, { day, requests = 0, lastUsedAt }: Partial<KeyUse> = {}) {
  const usedToday = day === dayOf(Date.now()) ? requests : 0
  return { ...toJson(record), usedToday, lastUsedAt: toText(lastUsedAt) }
}

/** Returns the cells of a key by the titles of their columns. */
function toRow(key: ReturnType<typeof toListed>): Record<string, string> {
  const { id, name, plan, perMinute, perDay, prefix, usedToday, lastUsedAt } = key
  return {
    ID: id,
    NAME: name ?? '-',
    PLAN: plan,
    'PER MINUTE': `${perMinute}`,
    'PER DAY': `${perDay}`,
    PREFIX: `${prefix}…`,
    'USED TODAY': `${usedToday} (${Math.floor((100 * usedToday) / perDay)} %)`,
    'LAST USED': lastUsedAt?.slice(0, 16).replace('T', ' ') ?? 'never',
    STATE: stateOf(key),
  }
}

function stateOf({ revokedAt, expiresAt }: ReturnType<typeof toListed>): string {
  if (revokedAt !== null) {
    return `revoked ${revokedAt}`
  }
  if (expiresAt === null) {
    return 'active'
  }
  return `${Date.parse(expiresAt) <= Date.now() ? 'expired' : 'active until'} ${expiresAt}`
}

function printTable(rows: readonly Record<string, string>[]): void {
  const titles = Object.keys(rows[0] ?? {})
  const lines = [titles, ...rows.map(Object.values<string>)]
  const widths = titles.map((_, at) => Math.max(...lines.map((cells) => cells[at]?.length ?? 0)))
  for (const cells of lines) {
    const padded = cells.map((cell, at) => cell.padEnd(widths[at] ?? 0))
    console.log(padded.join('  ').trimEnd())
  }
  console.log('\nUse is approximate: it is written every few seconds. Days are UTC.')
}

function toText(time: number | undefined): string | null {
  return time === undefined ? null : new Date(time).toISOString()
}

const commands = new Map(Object.entries({ issue, list, rotate, revoke }))

await runCommand(usage, async ([name = '', ...args]) => {
  const command = commands.get(name)
  if (command !== undefined) {
    return command(args)
  }
  const commandNames = [...commands.keys()].join(', ')
  throw new UsageError(`Name a command: ${commandNames}. For their options: npm run keys -- --help`)
})
