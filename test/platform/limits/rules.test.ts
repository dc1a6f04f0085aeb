import { describe, expect, test, vi } from 'vitest'
import { stopClocks } from '../../helpers/clocks.ts'
import { startFixtureService, tools } from '../../helpers/fixture-service.ts'
import { needRedis } from '../../helpers/redis.ts'
import { sendMany, sendOne, startOnRedis } from './counting.ts'

/** Seconds since the first request, how many are sent then, and what each of their responses shows. */
type Step = readonly [at: number, requests: number, shown: object]

interface Sender {
  /** The quota of its key; without one it sends no key. */
  readonly quota?: { readonly perMinute: number; readonly perDay?: number }
  readonly environment?: Readonly<Record<string, string>>
}

type Rule = readonly [title: string, from: Sender, ...steps: readonly Step[]]

const accepted = { status: 200 }
const limited = { status: 429, code: 'rate_limited', remaining: 0 }
const banned = { status: 429, code: 'api_key_banned' }
const wait40 = 'The limit of 2 requests is reached. Retry in 40 seconds.'
const wait60 =
  'The limit of 60 requests per minute without a valid API key is reached. Retry in 60 seconds.'
const wait300 =
  'The API key is banned after repeated requests over its limit. Retry in 300 seconds.'

const rules: readonly Rule[] = [
  [
    'waiting for Retry-After is enough, in whole seconds, rounded up',
    { quota: { perMinute: 2, perDay: 100 } },
    [0, 1, { ...accepted, limit: 2, remaining: 1 }],
    [20, 1, { ...accepted, remaining: 0 }],
    [20, 1, { ...limited, limit: 2, retryAfter: 40, message: wait40 }],
    [20.999, 1, { ...limited, retryAfter: 40 }],
    [21, 1, { ...limited, retryAfter: 39 }],
    [59.999, 1, { ...limited, retryAfter: 1 }],
    [60, 1, { ...accepted, remaining: 1 }],
  ],
  [
    'the headers show the window with the least remaining share, the minute or the day',
    { quota: { perMinute: 4, perDay: 10 } },
    [0, 1, { ...accepted, limit: 4, remaining: 3, reset: 61 }],
    [0, 3, accepted],
    [0, 1, { ...limited, limit: 4 }],
    [60, 1, { ...accepted, limit: 10, remaining: 5, reset: 86_341 }],
  ],
  [
    'of two windows with the same share, the headers show the minute',
    { quota: { perMinute: 10, perDay: 10 } },
    [0, 1, { ...accepted, remaining: 9, reset: 61 }],
  ],
  [
    'Retry-After leads past the day where that is used up',
    { quota: { perMinute: 2, perDay: 3 } },
    [0, 2, accepted],
    [60, 1, accepted],
    [60, 1, { ...limited, limit: 3, retryAfter: 86_340 }],
    [86_399, 1, limited],
    [86_400, 1, { ...accepted, remaining: 1 }],
  ],
  [
    'Retry-After leads past the day where that and the minute are used up',
    { quota: { perMinute: 2, perDay: 2 } },
    [0, 2, accepted],
    [0, 1, { ...limited, retryAfter: 86_400 }],
  ],
  [
    'the tenth 429 within a minute bans the key for five minutes, which requests neither extend nor count in',
    { quota: { perMinute: 1 } },
    [0, 1, accepted],
    [0, 9, limited],
    [0, 1, { ...banned, limit: 1, retryAfter: 300, message: wait300 }],
    [120, 20, { ...banned, retryAfter: 180 }],
    [299, 1, { ...banned, retryAfter: 1 }],
    [300, 1, accepted],
    [300, 9, limited],
  ],
  [
    '429s that are spread over more than a minute do not ban',
    { quota: { perMinute: 1 } },
    [0, 1, accepted],
    [0, 1, limited],
    [30, 8, limited],
    [60, 1, accepted],
    [60, 9, limited],
  ],
  [
    'Retry-After of a ban is enough, whatever else is used up',
    { quota: { perMinute: 100, perDay: 3 } },
    [0, 3, accepted],
    [0, 9, limited],
    [0, 2, { ...banned, limit: 100, remaining: 97, retryAfter: 86_400 }],
    [86_400, 1, accepted],
  ],
  [
    'BAN_AFTER and BAN_SECONDS apply, and after a ban again',
    { quota: { perMinute: 1 }, environment: { BAN_AFTER: '3', BAN_SECONDS: '5' } },
    [0, 1, accepted],
    [0, 2, limited],
    [0, 1, { ...banned, retryAfter: 60 }],
    [4.999, 1, banned],
    [5, 2, limited],
    [5, 1, banned],
    [60, 1, accepted],
  ],
  [
    'an address may send 60 requests a minute without a valid API key, and is never banned',
    {},
    [0, 1, { status: 401, limit: 60, remaining: 59, reset: 61 }],
    [0, 59, { status: 401 }],
    [0, 1, { ...limited, limit: 60, retryAfter: 60, message: wait60 }],
    [0, 20, limited],
    [60, 1, { status: 401, remaining: 59 }],
  ],
]

describe.for([
  ['in the process', startFixtureService],
  ['in Redis', startOnRedis],
] as const)('counted %s', ([, start]) => {
  test.for(rules)('%s', async ([, { quota, environment }, ...steps], context) => {
    if (start === startOnRedis) {
      await needRedis(context)
    }
    stopClocks(Date.UTC(2026, 10, 20, 12, 0, 0, 499))
    const service = await start(environment)
    const key = quota && (await service.issue(quota)).key
    let before = 0
    for (const [at, requests, shown] of steps) {
      vi.advanceTimersByTime(Math.round((at - before) * 1_000))
      before = at
      // Windows in the process last as long as they should when the clock of the machine is set back.
      if (start === startFixtureService) {
        vi.setSystemTime(Date.now() - 2 * 86_400_000)
      }
      for (const { reset, ...others } of await sendMany(requests, service, key)) {
        const left = reset - Math.floor(Date.now() / 1_000)
        expect({ ...others, reset: left }, `after ${at} s`).toMatchObject(shown)
      }
    }
    // Others are not affected.
    expect((await sendOne(service, service.apiKey)).status).toBe(200)
  })
})

test('every request with a valid API key counts, whatever its response', async () => {
  const { issue, send } = await startFixtureService()
  const { key } = await issue({ perMinute: 6, perDay: 100 })
  for (const [remaining, path, init] of [
    [5, '/lending/v2/nothing'],
    [4, `${tools}/1`],
    [3, `${tools}?limit=0`],
    [2, tools, { method: 'OPTIONS' }],
    [1, tools, { method: 'DELETE' }],
    [0, tools, { method: 'POST', body: '{' }],
    [0, tools],
  ] as const) {
    const { headers } = await send(path, { key, ...init })
    expect(headers.get('x-ratelimit-remaining'), path).toBe(`${remaining}`)
  }
})
