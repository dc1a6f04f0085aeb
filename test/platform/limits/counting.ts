import type { RedisCounting } from '../../../server/security/redis-rate-limiter.ts'
import type { TestDatabase } from '../../helpers/databases/test-database.ts'
import { tools } from '../../helpers/fixture-service.ts'
import { createOwnNames, redisUrl } from '../../helpers/redis.ts'
import { startTestService, type TestService } from '../../helpers/service.ts'

/** Starts a service that counts in Redis, by the clock of the test or with other options. */
export async function startOnRedis(
  environment: Readonly<Record<string, string>> = {},
  db?: TestDatabase,
  counting: RedisCounting = { now: () => Date.now() },
): Promise<TestService> {
  const redis = { ...(await createOwnNames()), ...counting }
  const variables = { ...environment, REDIS_URL: redisUrl }
  return startTestService(variables, db, redis)
}

/** Sends a request with a key, or with headers and no key; returns what the response shows of limits. */
export async function sendOne(service: TestService, sent: string | Record<string, string> = {}) {
  const from = typeof sent === 'string' ? { key: sent } : { key: '', headers: sent }
  const { status, code, message, ...fields } = await service.ask(tools, from)
  // NaN where the header is absent: no comparison holds for it.
  const number = (name: string) => Number(fields[name] ?? Number.NaN)
  return {
    ...{ status, code, message },
    limit: number('x-ratelimit-limit'),
    remaining: number('x-ratelimit-remaining'),
    reset: number('x-ratelimit-reset'),
    retryAfter: number('retry-after'),
  }
}

/** Sends requests with a key, or without one, one after the other. */
export async function sendMany(times: number, service: TestService, key?: string) {
  const responses = []
  for (let request = 0; request < times; request++) {
    responses.push(await sendOne(service, key))
  }
  return responses
}
