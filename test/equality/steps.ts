import { createRandom } from '../support/random.ts'

/** What is sent: the place of `KEY` and of `CURSOR` is taken by what each service gave. */
export interface Step {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

const statuses = ['available', 'pending', 'sold'] as const
const authorization = { Authorization: 'Bearer KEY' }
const json = { ...authorization, 'Content-Type': 'application/json' }

const names = [
  'Rex',
  'é',
  'e\u0301',
  '🐕‍🦺',
  ' a ',
  "Robert'); DROP TABLE animals;--",
  '🐾'.repeat(1000),
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
  'limit=100',
  'limit=1&cursor=CURSOR',
  'limit=7',
  'limit=3&status=sold',
  'limit=2&status=sold&cursor=CURSOR',
  'cursor=CURSOR',
  'limit=0',
  'limit=101',
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
  { method: 'POST', path: '/v1/pets', headers: json, body: ' '.repeat(100_001) },
  { method: 'GET', path: '/readyz', headers: {} },
  { method: 'GET', path: '/openapi.json', headers: {} },
]

/** Steps through all operations, valid and not, that follow from a seed. */
export function createSteps(seed: number, count: number): Step[] {
  const random = createRandom(seed)
  const number = (below: number) => Math.floor(random() * below)
  const one = <Item>(items: readonly [Item, ...Item[]] | readonly Item[]): Item => {
    const item = items[number(items.length)]
    if (item === undefined) throw new Error('There is nothing to choose from.')
    return item
  }

  function newAnimal(): string {
    const status = random() < 0.3 ? {} : { status: one(statuses) }
    return JSON.stringify({ name: one(names), categoryId: number(2 ** 31) - 2 ** 30, ...status })
  }

  const kinds: readonly (() => Step)[] = [
    () => ({ method: 'POST', path: '/v1/pets', headers: json, body: newAnimal() }),
    // Few keys and few bodies: repetitions of the same and with another body come about.
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
