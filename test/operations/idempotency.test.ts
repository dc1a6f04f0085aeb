import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, expect, test, vi } from 'vitest'
import { startTestService, type TestService } from '../support/service.ts'
import { animal, count, post } from './support/creating.ts'

afterEach(() => {
  vi.useRealTimers()
})

test('a repetition gets the first answer again, byte for byte, and says so', async () => {
  const service = await startTestService()
  const first = await post(service, 'abc')
  const again = await post(service, 'abc')
  expect([first.status, again.status]).toEqual([201, 201])
  expect(first.headers.get('idempotent-replayed')).toBeNull()
  expect(again.headers.get('idempotent-replayed')).toBe('true')
  expect(await again.text()).toBe(await first.text())
  expect(await count(service)).toBe(1)
})

test('bodies are the same when their values are, and a quoted key is the key', async () => {
  const service = await startTestService()
  await post(service, 'a"b\\c', { name: 'Rex', categoryId: 7, status: 'sold' })
  const again = await post(service, '"a\\"b\\\\c"', {
    status: 'sold',
    categoryId: 7.0,
    name: 'Rex',
  })
  expect(again.headers.get('idempotent-replayed')).toBe('true')
  expect(await count(service)).toBe(1)
})

test('another body under the same key is 422', async () => {
  const service = await startTestService()
  await post(service, 'abc')
  const response = await post(service, 'abc', { ...animal, status: 'sold' })
  expect(response.status).toBe(422)
  expect(await response.json()).toMatchObject({
    ...{ code: 'idempotency_key_reused', status: 422 },
    message: 'This Idempotency-Key was used with another body.',
  })
  expect(await count(service)).toBe(1)
})

test('keys belong to the caller: the same one of another is another', async () => {
  const service = await startTestService()
  const other = await service.issue()
  await post(service, 'abc')
  const response = await post(service, 'abc', animal, other.key)
  expect(response.status).toBe(201)
  expect(response.headers.get('idempotent-replayed')).toBeNull()
  expect(await count(service)).toBe(2)
})

test('a request that is refused does not use its key up', async () => {
  const service = await startTestService()
  expect((await post(service, 'abc', { name: '' })).status).toBe(400)
  expect((await post(service, 'abc')).status).toBe(201)
})

/** Repeats a request as long as the first one under its key is still running, as callers do. */
async function postUntilDone(service: TestService, key: string): Promise<Response> {
  for (let turn = 0; turn < 20; turn++) {
    const response = await post(service, key)
    if (response.status !== 409) return response
    await wait(100)
  }
  throw new Error('The first request is still running.')
}

test('fifty at once under one key are one animal and one body', async () => {
  const service = await startTestService()
  const answers = await Promise.all(Array.from({ length: 50 }, () => postUntilDone(service, 'abc')))
  const bodies = new Set(await Promise.all(answers.map((answer) => answer.text())))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]))
  expect(bodies.size).toBe(1)
  const replayed = answers.filter(({ headers }) => headers.get('idempotent-replayed') === 'true')
  expect(replayed).toHaveLength(49)
  expect(await count(service)).toBe(1)
})

test('while the first request is still running, a repetition is 409 with Retry-After', async () => {
  const service = await startTestService()
  await count(service)
  const release = await service.place.blockWriters()
  const first = post(service, 'abc')
  await new Promise((resolve) => setTimeout(resolve, 50))
  const second = await post(service, 'abc')
  expect(second.status).toBe(409)
  expect(second.headers.get('retry-after')).toBe('1')
  expect(await second.json()).toMatchObject({
    ...{ code: 'idempotency_in_progress', status: 409 },
    message: 'The first request with this Idempotency-Key is still running.',
  })
  await release()
  expect((await first).status).toBe(201)
  expect((await post(service, 'abc')).headers.get('idempotent-replayed')).toBe('true')
  expect(await count(service)).toBe(1)
})

test('after 24 hours the same key adds another animal', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
  const service = await startTestService()
  await post(service, 'abc')
  vi.setSystemTime(Date.now() + 24 * 3_600_000 - 1_000)
  expect((await post(service, 'abc')).headers.get('idempotent-replayed')).toBe('true')
  vi.setSystemTime(Date.now() + 2_000)
  const late = await post(service, 'abc')
  expect(late.headers.get('idempotent-replayed')).toBeNull()
  expect(await late.json()).toMatchObject({ id: 2 })
})
