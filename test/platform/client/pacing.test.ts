import { beforeEach, expect, test, vi } from 'vitest'
import {
  type CallOptions,
  createPacer,
  type ToolLibrary,
  type ToolLibraryOptions,
} from '../../fixture-api/client.ts'
import { createRandom } from '../../helpers/random.ts'
import {
  fail,
  failureOf,
  lost,
  passTimeAtOnce,
  type Respond,
  recordClient,
  succeed,
} from './support/client.ts'

beforeEach(() => passTimeAtOnce(new Date('2026-11-20T12:00:00.500Z')))

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

const sleep = (milliseconds: number) =>
  new Promise<void>((resolve) => setTimeout(resolve, milliseconds))

interface Service {
  readonly perMinute?: number
  readonly perDay?: number
  /** Milliseconds by which its clock is ahead. */
  readonly clockAhead?: number
  /** Milliseconds that a request takes on its way, and its response. */
  readonly delay?: () => number
}

/** Creates the `fetch` of a service that counts requests in fixed windows, as ours does. */
function createService(service: Service = {}) {
  const { perMinute = 20, perDay = 10_000, clockAhead = 0, delay = () => 20 } = service
  const ofMinute = { limit: perMinute, length: minute, used: 0, resetAt: 0 }
  const ofDay = { limit: perDay, length: day, used: 0, resetAt: 0 }
  /** When requests were rejected. */
  const rejections: number[] = []
  const respond: Respond = async (...sent) => {
    await sleep(delay())
    const now = Date.now()
    for (const window of [ofMinute, ofDay]) {
      if (window.resetAt <= now) {
        Object.assign(window, { used: 0, resetAt: now + window.length })
      }
    }
    const isAllowed = ofMinute.used < perMinute && ofDay.used < perDay
    if (isAllowed) {
      for (const window of [ofMinute, ofDay]) {
        window.used++
      }
    } else {
      rejections.push(now)
    }
    // The window with the least share left is the one that is shown.
    const isMinute = ofMinute.used / perMinute > ofDay.used / perDay
    const { limit, used, resetAt } = isMinute ? ofMinute : ofDay
    const headers = {
      Date: new Date(now + clockAhead).toUTCString(),
      'X-RateLimit-Limit': `${limit}`,
      'X-RateLimit-Remaining': `${limit - used}`,
      'X-RateLimit-Reset': `${Math.ceil((resetAt + clockAhead) / 1000)}`,
    }
    const retryAfter = { 'Retry-After': `${Math.ceil((resetAt - now) / 1000)}` }
    await sleep(delay())
    return isAllowed
      ? Response.json([], { headers })
      : fail(429, { ...headers, ...retryAfter })(...sent)
  }
  return { respond, rejections }
}

/** Creates a client with a pacer, and all defaults but for its options. */
const paced = (respond: Respond | readonly Respond[], options: Partial<ToolLibraryOptions> = {}) =>
  recordClient(respond, { pacer: createPacer(), ...options }, {})

function listAtOnce(count: number, client: ToolLibrary, options: CallOptions = {}) {
  return Promise.all(Array.from({ length: count }, async () => client.listTools({}, options)))
}

/** Makes calls at once; returns how many of them fail. */
async function failuresOf(count: number, client: ToolLibrary): Promise<number> {
  const calls = Array.from({ length: count }, () => client.listTools())
  return (await Promise.allSettled(calls)).filter(({ status }) => status === 'rejected').length
}

/** Waits for some work; returns the minutes that it took. */
async function minutesOf(work: PromiseLike<unknown>): Promise<number> {
  const from = Date.now()
  await work
  return (Date.now() - from) / minute
}

const noRetries = { maxRetries: 0 }
const random = createRandom(1)
const slow = { delay: () => Math.floor(random() * 4_000) }

test.each<[string, calls: number, Service, minutes: number]>([
  ['a limit per minute', 70, {}, 3],
  ['a limit per day', 120, { perDay: 50 }, (2 * day) / minute],
  ['a clock an hour ahead', 50, { clockAhead: hour }, 2],
  ['responses that overtake each other', 100, slow, 4],
])(
  'calls of two clients that share a pacer get no 429 and lose no time: %s',
  async (_, calls, service, minutes) => {
    const { respond, rejections } = createService(service)
    const pacer = createPacer()
    const clients = [1, 2].map(() => paced(respond, { pacer }).client)
    const lists = clients.map((client) => listAtOnce(calls / 2, client))
    const taken = await minutesOf(Promise.all(lists))
    expect(rejections).toEqual([])
    expect(taken).toBeGreaterThanOrEqual(minutes)
    expect(taken).toBeLessThan(minutes + 2)
  },
)

const ban = {
  'Retry-After': '300',
  'X-RateLimit-Limit': '20',
  'X-RateLimit-Remaining': '0',
  'X-RateLimit-Reset': `${Date.parse('2026-11-20T12:00:30Z') / 1000}`,
}

test.each<[string, Respond, most: number, minutes: number]>([
  ['successes without rate limit headers', succeed, 8, 0],
  ['errors without rate limit headers', fail(502), 1, 0],
  ['a ban that is longer than the window', fail(429, ban), 1, 19 * 5],
  [
    'a 429 without Retry-After, and then a ban',
    (...sent) => fail(429, sent[1] === 1 ? {} : ban)(...sent),
    1,
    18 * 5,
  ],
])('paced calls that get %s are sent few at a time', async (_, respond, most, minutes) => {
  let sending = 0
  let mostAtOnce = 0
  const { client } = paced(async (...sent) => {
    mostAtOnce = Math.max(mostAtOnce, ++sending)
    await sleep(20)
    sending--
    return respond(...sent)
  }, noRetries)
  expect(Math.floor(await minutesOf(failuresOf(20, client)))).toBe(minutes)
  expect(mostAtOnce).toBe(most)
})

test('a paced call is sent with the API key that is valid after its wait', async () => {
  const rotatesAt = Date.now() + minute / 2
  const apiKey = () => (Date.now() < rotatesAt ? 'lib_first' : 'lib_second')
  const { client, requests } = paced(createService().respond, { apiKey })
  await listAtOnce(21, client)
  const keys = requests.map(({ headers }) => headers.get('authorization'))
  expect(keys).toEqual([...Array(20).fill('Bearer lib_first'), 'Bearer lib_second'])
})

test('an apiKey function that hangs or fails holds no slot, and uses up no limit', async () => {
  let key = async () => 'lib_test'
  const { respond, rejections } = createService()
  const { client } = paced(respond, { timeout: 1_000, apiKey: () => key() })
  const work = async () => {
    await client.listTools()
    key = () => new Promise(() => undefined)
    expect((await failureOf(client.listTools())).code).toBe('timeout')
    key = () => Promise.reject(new Error('no key'))
    expect(await failuresOf(40, client)).toBe(40)
    key = async () => 'lib_test'
    await listAtOnce(19, client)
  }
  expect(await minutesOf(work())).toBeLessThan(1)
  expect(rejections).toEqual([])
})

test('four pacers of one key get too few 429 for a ban, and every call succeeds', async () => {
  const { respond, rejections } = createService({ perMinute: 60, perDay: 180 })
  const clients = Array.from({ length: 4 }, () => paced(respond).client)
  await Promise.all(clients.map((client) => listAtOnce(60, client)))
  const inMinutes = Map.groupBy(rejections, (at) => Math.floor(at / minute))
  // The service bans a key at the tenth within a minute.
  expect(Math.max(...Array.from(inMinutes.values(), ({ length }) => length))).toBeLessThan(5)
})

test('a call that is aborted while it waits is not sent, and delays no other', async () => {
  const { respond, rejections } = createService()
  const { client, requests } = paced(respond)
  const controller = new AbortController()
  setTimeout(() => controller.abort('enough'), minute / 2)
  const first = listAtOnce(20, client)
  const aborted = listAtOnce(20, client, { signal: controller.signal }).catch((reason) => reason)
  const last = listAtOnce(20, client)
  expect(Math.floor(await minutesOf(Promise.all([first, last])))).toBe(1)
  expect([await aborted, requests.length, rejections]).toEqual(['enough', 40, []])
})

test('calls that end in an error, a network error or a timeout free their slots', async () => {
  const hang: Respond = () => new Promise(() => undefined)
  const responses = [fail(500), lost, hang, succeed]
  const { client } = paced(
    (...sent) => responses[sent[1] % 4]?.(...sent) ?? Response.json([]),
    noRetries,
  )
  expect(await failuresOf(60, client)).toBe(45)
})

test('totalTimeout ends the wait for the limit', async () => {
  const { client, requests } = paced(createService({ perDay: 5 }).respond)
  await listAtOnce(5, client)
  const late = failureOf(client.listTools({}, { totalTimeout: hour }))
  expect(Math.round(await minutesOf(late))).toBe(60)
  expect((await late).code).toBe('timeout')
  expect(requests).toHaveLength(5)
})

test('a paced call after 429 waits for hours, as often as maxRetries allows', async () => {
  const wait = fail(429, { 'Retry-After': '7200' })
  const respond = [...Array<Respond>(6).fill(wait), succeed]
  expect(await minutesOf(paced(respond).client.listTools())).toBe(6 * 120)
  for (const maxRetries of [2, 0]) {
    const { client } = paced(respond, { maxRetries })
    expect(await failureOf(client.listTools())).toMatchObject({ attempts: maxRetries + 1 })
  }
})

test.each([
  ['429 with Retry-After: 0', fail(429, { 'Retry-After': '0' }), 4],
  ['503 with Retry-After of two hours', fail(503, { 'Retry-After': '7200' }), 1],
])('a paced call after %s keeps the usual rules', async (_, respond, attempts) => {
  vi.spyOn(Math, 'random').mockReturnValue(0.5)
  const { client } = paced(respond)
  expect(await failureOf(client.listTools())).toMatchObject({ attempts })
})
