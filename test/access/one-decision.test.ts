import { afterEach, expect, test, vi } from 'vitest'
import { createMemoryTally } from '../../server/access/memory-tally.ts'
import { openRedisSession } from '../../server/access/redis/session.ts'
import { createRandom } from '../support/random.ts'
import { createOwnNames, needRedis, redisUrl } from '../support/redis.ts'

afterEach(() => {
  vi.useRealTimers()
})

test.for([1, 2, 3, 4, 5, 6])(
  'Redis decides as the process does, on any course of events (%i)',
  async (seed, context) => {
    await needRedis(context)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 10, 20, 12) })
    const random = createRandom(seed)
    const upTo = (most: number) => Math.floor(random() * most) + 1
    const ban = { after: upTo(4), seconds: upTo(90) }
    const own = createMemoryTally(ban)
    const options = { url: redisUrl, ban, now: () => Date.now(), ...(await createOwnNames()) }
    const redis = await openRedisSession(options, new AbortController().signal)
    const outcomes = new Set<string>()
    for (let step = 0; step < 400; step++) {
      const pause = [0, 1, 999, 20_000, 59_999, 60_000, 86_400_000][Math.floor(random() ** 4 * 7)]
      vi.setSystemTime(Date.now() + (pause ?? 0))
      const key = `key_${upTo(2)}`
      const quota = { perMinute: upTo(5), perDay: upTo(15) }
      const count = await redis.countKey(key, quota)
      expect(count).toEqual({ ...(await own.countKey(key, quota)), bannedUntil: count.bannedUntil })
      outcomes.add(count.outcome)
      const network = `192.0.2.${upTo(2)}`
      expect(await redis.countAddress(network)).toEqual(await own.countAddress(network))
      expect(await redis.readAddress('192.0.2.3')).toEqual(await own.readAddress('192.0.2.3'))
    }
    expect(outcomes).toEqual(new Set(['allowed', 'limited', 'ban-begun', 'banned']))
    redis.close()
  },
)
