import { beforeEach, expect, test, vi } from 'vitest'
import { createPostgresPlace } from '../support/places/postgres-place.ts'
import { whyNoPostgres } from '../support/places/postgres-server.ts'
import { createSqlitePlace } from '../support/places/sqlite-place.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { createSteps, type Step } from './steps.ts'

beforeEach(({ skip }) => skip(whyNoPostgres !== undefined, whyNoPostgres))

const count = 600
const seed = 20_261_121

/** What differs from one answer to the next. */
const apart = new Set(['x-request-id', 'date'])

interface Answer {
  readonly status: number
  readonly headers: readonly (readonly string[])[]
  readonly body: string
}

// A cursor is signed with the secret of its store: its length is what can be equal.
function withoutCursor(text: string): string {
  return text.replaceAll(/cursor=[\w-]{32}/g, 'cursor=…')
}

async function toAnswer(response: Response): Promise<Answer> {
  const fields = [...response.headers].filter(([name]) => !apart.has(name))
  const headers = fields.map(([name, value]) => [name, withoutCursor(value)])
  return { status: response.status, headers, body: await response.text() }
}

async function play(service: TestService, steps: readonly Step[]): Promise<Answer[]> {
  const { key } = await service.issue({ perMinute: 500, perDay: 550 })
  const cursors = new Map<string, string>()
  const answers: Answer[] = []
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
    answers.push(await toAnswer(response))
  }
  return answers
}

test(`${count} requests are answered by PostgreSQL as by SQLite, to the byte`, async () => {
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

/** What two that ask at once under one idempotency key are answered while nobody can write. */
async function collide({ send, place, apiKey }: TestService): Promise<Answer[]> {
  const release = await place.blockWriters()
  const post = async () => {
    const headers = {
      Authorization: `Bearer ${apiKey}`,
      'Content-Type': 'application/json',
      'Idempotency-Key': 'once',
    }
    const body = '{"name":"Rex","categoryId":1}'
    return toAnswer(await send('/v1/pets', { method: 'POST', headers, body }))
  }
  const both = [post(), post()]
  // Either came first; the one that did not is answered first.
  const refused = await Promise.race(both)
  await release()
  const added = (await Promise.all(both)).filter((answer) => answer !== refused)
  return [refused, ...added, await post()]
}

test('a repetition that comes while the first is running is answered by both alike', async () => {
  // Limits would number the two, in the order in which they happen to arrive.
  const environment = { RATE_LIMITS: 'off' }
  const onSqlite = await collide(await startTestService(environment, await createSqlitePlace()))
  const onPostgres = await collide(await startTestService(environment, await createPostgresPlace()))
  expect(onPostgres).toEqual(onSqlite)
  expect(onSqlite.map(({ status }) => status)).toEqual([409, 201, 201])
})
