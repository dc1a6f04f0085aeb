import { afterEach, expect, test, vi } from 'vitest'
import { startTestService } from '../helpers/service.ts'
import { count, pet, postOnce } from './support/pets.ts'

afterEach(() => {
  vi.useRealTimers()
})

test('a repeated request gets the first response, byte for byte, with Idempotent-Replayed', async () => {
  const service = await startTestService()
  // A rejected request does not use up its key.
  expect((await postOnce(service, 'abc', { name: '' })).status).toBe(400)
  const first = await postOnce(service, 'abc')
  const again = await postOnce(service, 'abc')
  expect([first.status, again.status]).toEqual([201, 201])
  expect(first.headers.get('idempotent-replayed')).toBeNull()
  expect(again.headers.get('idempotent-replayed')).toBe('true')
  expect(await again.text()).toBe(await first.text())
  const changed = await postOnce(service, 'abc', { ...pet, status: 'sold' })
  expect(changed.status).toBe(422)
  expect(await changed.json()).toMatchObject({
    ...{ code: 'idempotency_key_reused', status: 422 },
    message: 'This Idempotency-Key was used with another body.',
  })
  expect(await count(service)).toBe(1)
  const other = await service.issue()
  const response = await postOnce(service, 'abc', pet, other.key)
  expect(response.status, 'the same key of another caller is another key').toBe(201)
  expect(response.headers.get('idempotent-replayed')).toBeNull()
  expect(await count(service)).toBe(2)
})

test('bodies with equal values are the same, and so are a key and its quoted form', async () => {
  const service = await startTestService()
  await postOnce(service, 'a"b\\c', { name: 'Rex', categoryId: 7, status: 'sold' })
  const again = await postOnce(service, '"a\\"b\\\\c"', {
    status: 'sold',
    categoryId: 7.0,
    name: 'Rex',
  })
  expect(again.headers.get('idempotent-replayed')).toBe('true')
  expect(await count(service)).toBe(1)
})

test('a repeated request is 409 with Retry-After while the first is running', async () => {
  const service = await startTestService()
  const { database } = service.store
  const { write } = database
  const [begun, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  Object.assign(database, {
    async write(...queries: Parameters<typeof write>) {
      begun.resolve()
      await released.promise
      return write.apply(database, queries)
    },
  })
  const first = postOnce(service, 'abc')
  await begun.promise
  const second = await postOnce(service, 'abc')
  expect(second.status).toBe(409)
  expect(second.headers.get('retry-after')).toBe('1')
  expect(await second.json()).toMatchObject({
    ...{ code: 'idempotency_in_progress', status: 409 },
    message: 'The first request with this Idempotency-Key is still running.',
  })
  released.resolve()
  expect((await first).status).toBe(201)
  expect((await postOnce(service, 'abc')).headers.get('idempotent-replayed')).toBe('true')
  expect(await count(service)).toBe(1)
})

test('after 24 hours the same key creates another pet', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
  const service = await startTestService()
  await postOnce(service, 'abc')
  vi.setSystemTime(Date.now() + 24 * 3_600_000 - 1_000)
  expect((await postOnce(service, 'abc')).headers.get('idempotent-replayed')).toBe('true')
  vi.setSystemTime(Date.now() + 2_000)
  const late = await postOnce(service, 'abc')
  expect(late.headers.get('idempotent-replayed')).toBeNull()
  expect(await late.json()).toMatchObject({ id: 2 })
})

test('a key has 1 to 255 printable characters, or is a quoted string of them', async () => {
  const service = await startTestService()
  const long = 'a'.repeat(256)
  for (const key of ['"', '""', '"abc', '"a"b"', '"a\\b"', 'ä', 'a\tb', long, `"${long}"`]) {
    const response = await postOnce(service, key)
    expect(response.status, key).toBe(400)
    const { details } = await response.json()
    expect(details[0], key).toMatchObject({ path: '/headers/idempotency-key' })
  }
  const accepted = [
    ...['a', 'a'.repeat(255), 'two words', `"${'\\"'.repeat(255)}"`],
    // An unpaired quote is part of the key.
    ...['a"', 'b"'],
  ]
  for (const key of accepted) expect((await postOnce(service, key)).status, key).toBe(201)
  expect((await postOnce(service, '"a"')).headers.get('idempotent-replayed')).toBe('true')
  expect(await count(service)).toBe(accepted.length)
})
