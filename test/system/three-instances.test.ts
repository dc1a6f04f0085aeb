import { beforeEach, expect, test } from 'vitest'
import { createPostgresPlace } from '../helpers/places/postgres-place.ts'
import { whyNoPostgres } from '../helpers/places/postgres-server.ts'
import { createOwnNames, needRedis, redisUrl } from '../helpers/redis.ts'
import { startTestService, type TestService } from '../helpers/service.ts'

beforeEach(needRedis)
beforeEach(({ skip }) => skip(whyNoPostgres !== undefined, whyNoPostgres))

/** Starts three instances on one PostgreSQL and one Redis, whose clock stands still. */
async function startThree(environment: Readonly<Record<string, string>> = {}) {
  const now = Date.now()
  const redis = { ...(await createOwnNames()), now: () => now }
  // However slow the machine is, no request times out.
  const shared = { OVERLOAD_WAIT_MS: '60000', ...environment, REDIS_URL: redisUrl }
  const place = { ...(await createPostgresPlace()), patience: 60_000 }
  const start = () => startTestService(shared, place, redis)
  const [first, second, third] = [await start(), await start(), await start()]
  const { pathname } = new URL(first.baseUrl)
  return { first, all: [first, second, third], pets: `${pathname}/pets` }
}

/** Sends a request to each instance so often, all at once, and reads the limit in the responses. */
function sendAtOnce(
  services: readonly TestService[],
  path: string,
  times: number,
  headers: Record<string, string> = {},
) {
  const requests = services.flatMap(({ send }) =>
    Array.from({ length: times }, async () => {
      const response = await send(path, { headers })
      const remaining = Number(response.headers.get('x-ratelimit-remaining'))
      return { status: response.status, remaining }
    }),
  )
  return Promise.all(requests)
}

test.for([
  ['minute', { perMinute: 60, perDay: 1_000 }],
  ['day', { perMinute: 1_000, perDay: 60 }],
] as const)(
  'three times the rate limit of a %s, at once on three instances, gets the limit',
  async ([, quota]) => {
    const { first, all, pets } = await startThree({ BAN_AFTER: '1000' })
    const { key } = await first.issue(quota)
    const responses = await sendAtOnce(all, pets, 60, { Authorization: `Bearer ${key}` })
    const good = responses.filter(({ status }) => status === 200)
    expect(good.map(({ remaining }) => remaining).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 60 }, (_, index) => index),
    )
    expect(responses.filter(({ status }) => status === 429)).toHaveLength(120)
  },
)

test('429s on three instances ban an API key on all of them', async () => {
  const { first, all, pets } = await startThree()
  const { key } = await first.issue({ perMinute: 1 })
  const headers = { Authorization: `Bearer ${key}` }
  await first.send(pets, { headers })
  const codes = []
  for (let request = 0; request < 12; request++) {
    const response = await (all[request % 3] ?? first).send(pets, { headers })
    codes.push((await response.json()).code)
  }
  expect(codes.slice(0, 9)).toEqual(Array(9).fill('rate_limited'))
  expect(codes.slice(9)).toEqual(Array(3).fill('api_key_banned'))
})

test('an address without a valid API key has one rate limit on three instances', async () => {
  const { all, pets } = await startThree({ ANONYMOUS_PER_MINUTE: '20' })
  const statuses = (await sendAtOnce(all, pets, 20)).map(({ status }) => status)
  expect(statuses.filter((status) => status === 401)).toHaveLength(20)
  expect(statuses.filter((status) => status === 429)).toHaveLength(40)
})

test('pages from instance to instance list every pet once, while others are created', async () => {
  const { first, all, pets } = await startThree()
  const headers = { Authorization: `Bearer ${first.apiKey}` }
  const create = (name: string) => first.client.createPet({ name, categoryId: 7 })
  const before = await Promise.all(Array.from({ length: 50 }, (_, at) => create(`${at}`)))
  const seen: number[] = []
  let path = `${pets}?limit=7`
  for (let pages = 0; path !== '' && pages <= 20; pages++) {
    const { send } = all[pages % 3] ?? first
    const [page] = await Promise.all([send(path, { headers }), create('late')])
    seen.push(...(await page.json()).map(({ id }: { readonly id: number }) => id))
    path = /<([^>]+)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1] ?? ''
  }
  expect(new Set(seen).size).toBe(seen.length)
  expect(seen).toEqual(expect.arrayContaining(before.map(({ id }) => id)))
})
