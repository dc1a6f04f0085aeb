import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type AnimalStore, createPacer } from '../../client/index.ts'
import { startTestService } from '../support/service.ts'
import { passUntilDone } from './support/fake-time.ts'
import { watch } from './support/watched-store.ts'

// The service runs in this process, and its clock is the same.
beforeEach(() =>
  vi.useFakeTimers({ toFake: ['Date', 'performance', 'setTimeout', 'clearTimeout'] }),
)
afterEach(() => vi.useRealTimers())

const rex = { name: 'Rex', categoryId: 7 }
type Job = (store: AnimalStore) => Promise<unknown>

/** Runs a job on a service with small limits; gives what was answered, and the minutes it took. */
async function run(quota: { perMinute: number; perDay: number }, job: Job) {
  const { baseUrl, issue } = await startTestService()
  const { key: apiKey } = await issue(quota)
  const statuses: number[] = []
  let underWay = 0
  const { store } = watch(
    async (request) => {
      underWay++
      const response = await fetch(request).finally(() => underWay--)
      statuses.push(response.status)
      const dated = new Response(response.body, response)
      // Node reads the clock for this field once a second, by a clock that is not the fake one.
      dated.headers.set('Date', new Date().toUTCString())
      return dated
    },
    { baseUrl, apiKey, pacer: createPacer() },
  )
  const minutes = await passUntilDone(job(store), () => underWay > 0)
  return { statuses, minutes: Math.floor(minutes) }
}

test('animals added one after the other wait for the service, and none is refused', async () => {
  const { statuses, minutes } = await run({ perMinute: 20, perDay: 1_000 }, async (store) => {
    for (let added = 0; added < 70; added++) await store.createPet(rex)
  })
  expect(statuses).toEqual(Array.from({ length: 70 }, () => 201))
  expect(minutes).toBe(3)
})

test('animals added at once wait for the minute and for the day, and none is refused', async () => {
  const { statuses, minutes } = await run({ perMinute: 20, perDay: 50 }, (store) =>
    Promise.all(Array.from({ length: 120 }, () => store.createPet(rex))),
  )
  expect(statuses).toEqual(Array.from({ length: 120 }, () => 201))
  expect(Math.floor(minutes / (24 * 60))).toBe(2)
})

test('a walk among additions waits like any other call, and none is refused', async () => {
  const ids: number[] = []
  const { statuses } = await run({ perMinute: 10, perDay: 1_000 }, async (store) => {
    for (let added = 0; added < 15; added++) await store.createPet(rex)
    for await (const { id } of store.listPets({ limit: 1 })) {
      if (ids.push(id) <= 15) void store.createPet(rex)
    }
  })
  expect(ids).toEqual(ids.map((_, index) => index + 1))
  expect(ids.length).toBeGreaterThanOrEqual(30)
  expect(new Set(statuses)).toEqual(new Set([200, 201]))
})
