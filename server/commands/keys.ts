import type { KeyTerms } from '../auth/api-key.ts'
import { isPlan, plans, type Quota } from '../auth/rate-limits.ts'
import type { Store } from '../store/store.ts'
import { onlyArgument, parseOptions, runCommand, UsageError } from './command.ts'
import { issue, list, type Printed, revoke, rotate } from './key-commands.ts'
import { withStore } from './named-store.ts'

const usage = `npm run keys -- issue --plan free|pro|business|enterprise [--name TEXT]
                      [--per-minute N --per-day N] [--expires ISO-DATE] [--json]
npm run keys -- list [--json]
npm run keys -- rotate ID [--overlap 24h] [--json]
npm run keys -- revoke ID [--json]`

const text = { type: 'string' } as const
const json = { type: 'boolean', default: false } as const
const nameOneKey = 'Name one key by its id. See: npm run keys -- list'

type Run = (store: Store) => Promise<Printed>

const commands: Readonly<Record<string, (args: string[]) => Run>> = {
  issue(args) {
    const options = { plan: text, name: text, expires: text, 'per-minute': text, 'per-day': text }
    const { values } = parseOptions({ args, options: { ...options, json } })
    const terms = toKeyTerms(values)
    return ({ keys }) => issue(keys, terms, values.json)
  },
  list(args) {
    const { values } = parseOptions({ args, options: { json } })
    return (store) => list(store, values.json)
  },
  rotate(args) {
    const options = { overlap: { type: 'string', default: '0s' }, json } as const
    const { values, positionals } = parseOptions({ args, options, allowPositionals: true })
    const id = onlyArgument(positionals, nameOneKey)
    const overlap = toDuration(values.overlap)
    return ({ keys }) => rotate(keys, id, overlap, values.json)
  },
  revoke(args) {
    const options = { json }
    const { values, positionals } = parseOptions({ args, options, allowPositionals: true })
    const id = onlyArgument(positionals, nameOneKey)
    return ({ keys }) => revoke(keys, id, values.json)
  },
}

interface IssueOptions {
  readonly plan?: string | undefined
  readonly name?: string | undefined
  readonly 'per-minute'?: string | undefined
  readonly 'per-day'?: string | undefined
  readonly expires?: string | undefined
}

function toKeyTerms(options: IssueOptions): KeyTerms {
  const { plan = '', name, expires } = options
  if (!isPlan(plan)) {
    throw new UsageError(`--plan must be one of ${Object.keys(plans).join(', ')}.`)
  }
  const quota = plans[plan]
  const limits = quota === 'custom' ? toCustomQuota(options) : rejectCustomQuota(options, quota)
  return { plan, name: toName(name), expiresAt: toTime(expires), ...limits }
}

function toCustomQuota(options: IssueOptions): Quota {
  return {
    perMinute: toCount('--per-minute', options['per-minute']),
    perDay: toCount('--per-day', options['per-day']),
  }
}

function rejectCustomQuota(options: IssueOptions, quota: Quota): Quota {
  if (options['per-minute'] === undefined && options['per-day'] === undefined) return quota
  throw new UsageError('--per-minute and --per-day go with --plan enterprise alone.')
}

function toCount(option: string, value: string | undefined): number {
  const count = /^\d{1,12}$/.test(value ?? '') ? Number(value) : 0
  if (count > 0) return count
  throw new UsageError(`--plan enterprise needs ${option} with a whole number from 1.`)
}

function toName(name: string | undefined): string | undefined {
  if (name === undefined || /^[^\p{Cc}]{1,200}$/u.test(name)) return name
  throw new UsageError('--name must be 1 to 200 characters, without control characters.')
}

const calendarDate = /^\d{4}-\d{2}-\d{2}$/
const dateTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:\d{2})$/

function toTime(expires: string | undefined): number | undefined {
  if (expires === undefined) return undefined
  const isDate = calendarDate.test(expires) || dateTime.test(expires)
  const time = isDate ? Date.parse(expires) : Number.NaN
  // Date turns 30 February into 2 March.
  const day = expires.slice(0, 10)
  const isReal = new Date(`${day}T00:00Z`).toJSON()?.startsWith(day)
  if (Number.isNaN(time) || !isReal) {
    throw new UsageError(
      '--expires must be a date such as 2027-01-31, or a date-time with its zone.',
    )
  }
  if (time <= Date.now()) throw new UsageError('--expires must lie in the future.')
  return time
}

const units = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const

/** Reads a duration such as `24h`, in milliseconds. */
function toDuration(overlap: string): number {
  const [, count, unit] = /^(\d{1,6})([smhd])$/.exec(overlap) ?? []
  const length = Object.entries(units).find(([name]) => name === unit)?.[1]
  if (length !== undefined) return Number(count) * length
  throw new UsageError('--overlap must be a number with s, m, h or d, such as 24h.')
}

function toRun([name = '', ...args]: readonly string[]): Run {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (command !== undefined) return command(args)
  const known = Object.keys(commands).join(', ')
  throw new UsageError(`Name a command: ${known}. For their options: npm run keys -- --help`)
}

await runCommand(usage, async (args) => {
  const { out, note } = await withStore(toRun(args))
  if (note !== undefined) console.error(note)
  console.log(out)
})
