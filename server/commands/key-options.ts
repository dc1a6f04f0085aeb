import type { KeyTerms } from '../auth/issue.ts'
import { isPlan, plans, type Quota } from '../auth/rate-limits.ts'
import { UsageError } from './usage-error.ts'

/** The options of `keys issue`, as typed. */
export interface IssueOptions {
  readonly plan?: string | undefined
  readonly name?: string | undefined
  readonly 'per-minute'?: string | undefined
  readonly 'per-day'?: string | undefined
  readonly expires?: string | undefined
}

/** Reads what a new key is to be; throws a `UsageError`. */
export function toKeyTerms(options: IssueOptions): KeyTerms {
  const { plan = '', name, expires } = options
  if (!isPlan(plan)) {
    throw new UsageError(`--plan must be one of ${Object.keys(plans).join(', ')}.`)
  }
  const quota = plans[plan]
  const limits = quota === 'custom' ? toCustomQuota(options) : refuseCustomQuota(options, quota)
  return { plan, name: toName(name), expiresAt: toTime(expires), ...limits }
}

function toCustomQuota(options: IssueOptions): Quota {
  return {
    perMinute: toCount('--per-minute', options['per-minute']),
    perDay: toCount('--per-day', options['per-day']),
  }
}

function refuseCustomQuota(options: IssueOptions, quota: Quota): Quota {
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
  const time =
    calendarDate.test(expires) || dateTime.test(expires) ? Date.parse(expires) : Number.NaN
  // The Date parser turns 30 February into 2 March: what it made must read as what was typed.
  const isReal = new Date(`${expires.slice(0, 10)}T00:00Z`)
    .toJSON()
    ?.startsWith(expires.slice(0, 10))
  if (Number.isNaN(time) || !isReal) {
    throw new UsageError(
      '--expires must be a date such as 2027-01-31, or a date-time with its zone.',
    )
  }
  if (time <= Date.now()) throw new UsageError('--expires must lie in the future.')
  return time
}

const units = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const

/** Reads a duration such as `24h`, in milliseconds; throws a `UsageError`. */
export function toDuration(overlap: string): number {
  const [, count, unit] = /^(\d{1,6})([smhd])$/.exec(overlap) ?? []
  const length = Object.entries(units).find(([name]) => name === unit)?.[1]
  if (length !== undefined) return Number(count) * length
  throw new UsageError('--overlap must be a number with s, m, h or d, such as 24h.')
}
