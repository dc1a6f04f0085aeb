import { test } from 'vitest'
import { createOwnNames, needRedis, redisUrl } from '../support/redis.ts'
import { startTestService } from '../support/service.ts'

type Start = (
  environment?: Parameters<typeof startTestService>[0],
  place?: Parameters<typeof startTestService>[1],
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
async function startOnRedis(...[environment, place]: Parameters<Start>) {
  const names = await createOwnNames()
  const redis = { ...names, now: () => Date.now() }
  return startTestService({ ...environment, REDIS_URL: redisUrl }, place, redis)
}
