import { beforeEach, expect, test, vi } from 'vitest'
import { operations } from '../../generated/operations.ts'
import { createPostgresPlace } from '../helpers/places/postgres-place.ts'
import { whyNoPostgres } from '../helpers/places/postgres-server.ts'
import { createSqlitePlace } from '../helpers/places/sqlite-place.ts'
import { createRandom } from '../helpers/random.ts'
import { startTestService, type TestService } from '../helpers/service.ts'
import { longestName, mostLimit, petStatuses } from './support/contract.ts'
import { pet, postOnce } from './support/pets.ts'

beforeEach(({ skip }) => skip(whyNoPostgres !== undefined, whyNoPostgres))

const count = 600
const seed = 20_261_121

const { maxBytes: mostBytes } = operations.createPet.requestBody

/** A request, in which `KEY` and `CURSOR` are replaced by those of each service. */
interface Step {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

const authorization = { Authorization: 'Bearer KEY' }
const json = { ...authorization, 'Content-Type': 'application/json' }

const names = [
  'Rex',
  'é',
  'e\u0301',
  '🐕‍🦺',
  ' a ',
  "Robert'); DROP TABLE animals;--",
  '🐾'.repeat(longestName),
]
const badBodies = [
  '{}',
  'null',
  '{"name":"","categoryId":1}',
  '{"name":"a","categoryId":1,"status":"lost"}',
  '{"name":"a","categoryId":1,"id":5}',
  '{"name":"\\u0000","categoryId":1}',
  '{"name":"a","name":"b","categoryId":1}',
  '{"name":"a","categoryId":9007199254740993}',
  '{"name":"a",',
]
const queries = [
  `limit=${mostLimit}`,
  'limit=1&cursor=CURSOR',
  'limit=7',
  'limit=3&status=sold',
  'limit=2&status=sold&cursor=CURSOR',
  'cursor=CURSOR',
  'limit=0',
  `limit=${mostLimit + 1}`,
  'status=lost',
  'cursor=nonsense',
  'page=2',
]
const ids = ['1', '2', '17', '-1', '0', '9007199254740991', '9007199254740992', 'rex', '1.0']
const oddities: readonly Step[] = [
  { method: 'OPTIONS', path: '/v1/pets', headers: authorization },
  { method: 'OPTIONS', path: '/v1/pets/1', headers: authorization },
  { method: 'DELETE', path: '/v1/pets/1', headers: authorization },
  { method: 'PUT', path: '/v1/pets', headers: json, body: '{}' },
  { method: 'GET', path: '/v1/nothing', headers: authorization },
  { method: 'GET', path: '/v1/pets/', headers: authorization },
  { method: 'GET', path: '/v1/pets', headers: {} },
  { method: 'GET', path: '/v1/pets', headers: { Authorization: 'Bearer nonsense' } },
  { method: 'GET', path: '/v1/pets', headers: { ...authorization, Accept: 'text/html' } },
  {
    method: 'POST',
    path: '/v1/pets',
    headers: { ...authorization, 'Content-Type': 'text/plain' },
    body: 'a',
  },
  { method: 'POST', path: '/v1/pets', headers: { ...json, 'Idempotency-Key': '"' }, body: '{}' },
  // Beyond `x-max-bytes`.
  { method: 'POST', path: '/v1/pets', headers: json, body: ' '.repeat(mostBytes + 1) },
  { method: 'GET', path: '/readyz', headers: {} },
  { method: 'GET', path: '/openapi.json', headers: {} },
]

/** Returns valid and invalid requests for all operations, by a seed. */
function createSteps(seed: number, count: number): Step[] {
  const random = createRandom(seed)
  const number = (below: number) => Math.floor(random() * below)
  const one = <Item>(items: readonly [Item, ...Item[]] | readonly Item[]): Item => {
    const item = items[number(items.length)]
    if (item === undefined) throw new Error('There is nothing to choose from.')
    return item
  }

  function newAnimal(): string {
    const status = random() < 0.3 ? {} : { status: one(petStatuses) }
    return JSON.stringify({ name: one(names), categoryId: number(2 ** 31) - 2 ** 30, ...status })
  }

  const kinds: readonly (() => Step)[] = [
    () => ({ method: 'POST', path: '/v1/pets', headers: json, body: newAnimal() }),
    // Few keys and few bodies, so that requests repeat, with the same body and with another.
    () => {
      const body = JSON.stringify({ name: `animal ${number(2)}`, categoryId: 1 })
      const headers = { ...json, 'Idempotency-Key': `key ${number(12)}` }
      return { method: 'POST', path: '/v1/pets', headers, body }
    },
    () => ({ method: 'POST', path: '/v1/pets', headers: json, body: one(badBodies) }),
    () => ({
      method: one(['GET', 'GET', 'HEAD']),
      path: `/v1/pets?${one(queries)}`,
      headers: authorization,
    }),
    () => ({ method: one(['GET', 'HEAD']), path: `/v1/pets/${one(ids)}`, headers: authorization }),
    () => one(oddities),
  ]
  return Array.from({ length: count }, () => one(kinds)())
}

/** The headers that differ between two responses. */
const varying = new Set(['x-request-id', 'date'])

interface Received {
  readonly status: number
  readonly headers: readonly (readonly string[])[]
  readonly body: string
}

// A cursor is signed with the secret of its store: its length is what can be equal.
function withoutCursor(text: string): string {
  return text.replaceAll(/cursor=[\w-]{32}/g, 'cursor=…')
}

async function toReceived(response: Response): Promise<Received> {
  const fields = [...response.headers].filter(([name]) => !varying.has(name))
  const headers = fields.map(([name, value]) => [name, withoutCursor(value)])
  return { status: response.status, headers, body: await response.text() }
}

async function play(service: TestService, steps: readonly Step[]): Promise<Received[]> {
  const { key } = await service.issue({ perMinute: 500, perDay: 550 })
  const cursors = new Map<string, string>()
  const responses: Received[] = []
  for (const { method, path, headers, body } of steps) {
    // The cursor of the last page of the same status, where there was one.
    const status = /status=\w+/.exec(path)?.[0] ?? ''
    const response = await service.send(path.replace('CURSOR', cursors.get(status) ?? 'none'), {
      method,
      headers: Object.entries(headers).map(([name, value]) => [name, value.replace('KEY', key)]),
      ...(body === undefined ? {} : { body }),
    })
    const cursor = /cursor=([\w-]+)/.exec(response.headers.get('link') ?? '')?.[1]
    if (cursor !== undefined) cursors.set(status, cursor)
    responses.push(await toReceived(response))
  }
  return responses
}

test(`${count} requests get the same responses from PostgreSQL and SQLite, byte for byte`, async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 10, 21, 12) })
  const steps = createSteps(seed, count)
  const onSqlite = await play(await startTestService({}, await createSqlitePlace()), steps)
  const onPostgres = await play(await startTestService({}, await createPostgresPlace()), steps)
  for (const [index, step] of steps.entries()) {
    expect(onPostgres[index], `step ${index}: ${JSON.stringify(step)}`).toEqual(onSqlite[index])
  }
  const statuses = new Set(onSqlite.map(({ status }) => status))
  expect([...statuses].sort()).toEqual([200, 201, 204, 400, 401, 404, 405, 406, 413, 415, 422, 429])
  vi.useRealTimers()
})

/** The responses to two concurrent requests with one idempotency key while the store is locked. */
async function collide(service: TestService): Promise<Received[]> {
  const release = await service.place.blockWriters()
  const post = async () => toReceived(await postOnce(service, 'once', pet))
  const both = [post(), post()]
  // The one that came second gets its response first.
  const rejected = await Promise.race(both)
  await release()
  const added = (await Promise.all(both)).filter((response) => response !== rejected)
  return [rejected, ...added, await post()]
}

test('PostgreSQL and SQLite respond alike to a repeated request while the first is running', async () => {
  // Limits would number the two, in the order in which they happen to arrive.
  const environment = { RATE_LIMITS: 'off' }
  const onSqlite = await collide(await startTestService(environment, await createSqlitePlace()))
  const onPostgres = await collide(await startTestService(environment, await createPostgresPlace()))
  expect(onPostgres).toEqual(onSqlite)
  expect(onSqlite.map(({ status }) => status)).toEqual([409, 201, 201])
})
