import { expect, test } from 'vitest'
import { type IssueOptions, toDuration, toKeyTerms } from '../../../server/commands/key-options.ts'

function errorOf(work: () => unknown): string {
  try {
    work()
  } catch (error) {
    if (error instanceof Error && error.name === 'UsageError') return error.message
    throw error
  }
  return ''
}

test.for([
  ['2099-01-31', '2099-01-31T00:00:00.000Z'],
  ['2096-02-29', '2096-02-29T00:00:00.000Z'],
  ['2099-01-31T10:30Z', '2099-01-31T10:30:00.000Z'],
  ['2099-01-31T10:30:15Z', '2099-01-31T10:30:15.000Z'],
  ['2099-01-31T10:30:15.25Z', '2099-01-31T10:30:15.250Z'],
  ['2099-01-31T23:30:00-01:00', '2099-02-01T00:30:00.000Z'],
  ['2099-01-31T00:30:00+02:00', '2099-01-30T22:30:00.000Z'],
] as const)('--expires %s is %s', ([expires, time]) => {
  expect(toKeyTerms({ plan: 'free', expires }).expiresAt).toBe(Date.parse(time))
})

const noPlan = '--plan must be one of free, pro, business, enterprise.'
const noDate = '--expires must be a date such as 2027-01-31, or a date-time with its zone.'
const noName = '--name must be 1 to 200 characters, without control characters.'
const noLimits = '--per-minute and --per-day go with --plan enterprise alone.'
const needsMinute = '--plan enterprise needs --per-minute with a whole number from 1.'
const needsDay = '--plan enterprise needs --per-day with a whole number from 1.'

function dates(...expires: readonly string[]): (readonly [IssueOptions, string])[] {
  return expires.map((date) => [{ plan: 'free', expires: date }, noDate])
}

const rejected: readonly (readonly [IssueOptions, string])[] = [
  [{}, noPlan],
  [{ plan: 'Free' }, noPlan],
  [{ plan: 'toString' }, noPlan],
  [{ plan: 'free', 'per-minute': '60' }, noLimits],
  [{ plan: 'pro', 'per-day': '1' }, noLimits],
  [{ plan: 'enterprise' }, needsMinute],
  [{ plan: 'enterprise', 'per-day': '5' }, needsMinute],
  [{ plan: 'enterprise', 'per-minute': '5' }, needsDay],
  [{ plan: 'enterprise', 'per-minute': '5', 'per-day': '0' }, needsDay],
  [{ plan: 'enterprise', 'per-minute': '1.5', 'per-day': '5' }, needsMinute],
  [{ plan: 'enterprise', 'per-minute': '-1', 'per-day': '5' }, needsMinute],
  [{ plan: 'free', expires: '2020-01-01' }, '--expires must lie in the future.'],
  ...dates('', 'tomorrow', '2099', '2099-13-01', '2099-02-29', '2099-1-1', '01.02.2099'),
  ...dates('2099-02-30T00:00Z', '2099-01-01T10:00', '2099-01-01 10:00Z', '2099-01-01T25:00Z'),
  ...dates('2099-01-01T10:00+25:00', '4070908800000', '+012099-01-01'),
  [{ plan: 'free', name: '' }, noName],
  [{ plan: 'free', name: 'two\nlines' }, noName],
  [{ plan: 'free', name: 'a'.repeat(201) }, noName],
]

test.for(rejected)('issue API key: %j is rejected', ([options, message]) => {
  expect(errorOf(() => toKeyTerms(options))).toBe(message)
})

test('--overlap takes a number of seconds, minutes, hours or days', () => {
  const times = ['0s', '90s', '15m', '24h', '30d'].map(toDuration)
  expect(times).toEqual([0, 90_000, 900_000, 86_400_000, 2_592_000_000])
  for (const wrong of ['', '24', 'h', '1w', '1.5h', '-1h', '1h30m', '24H', ' 24h', '1234567s']) {
    const message = '--overlap must be a number with s, m, h or d, such as 24h.'
    expect(
      errorOf(() => toDuration(wrong)),
      wrong,
    ).toBe(message)
  }
})
