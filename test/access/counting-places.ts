import { test } from 'vitest'
import type { Place } from '../support/places/place.ts'
import { createOwnNames, needRedis, redisUrl } from '../support/redis.ts'
import { startTestService } from '../support/service.ts'

type Environment = Parameters<typeof startTestService>[0]
type Start = (
  ...circumstances: readonly [environment?: Environment, place?: Place]
) => ReturnType<typeof startTestService>

const countingPlaces = [
  { place: 'the process', need: () => undefined, start: startTestService },
  { place: 'Redis', need: needRedis, start: startOnRedis },
]

/** A test that is true of limits wherever they are counted, and is run for each place. */
export function testCounting(name: string, run: (start: Start) => Promise<void>): void {
  test.for(countingPlaces)(`${name}, counted in $place`, async ({ need, start }, context) => {
    await need(context)
    await run(start)
  })
}

/** Starts a service that counts in Redis, by the clock of the test. */
async function startOnRedis(environment: Environment = {}, place?: Place) {
  const names = await createOwnNames()
  const redis = { ...names, now: () => Date.now() }
  return startTestService({ ...environment, REDIS_URL: redisUrl }, place, redis)
}
