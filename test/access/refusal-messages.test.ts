import { afterEach, expect, test, vi } from 'vitest'
import { startTestService } from '../support/service.ts'

afterEach(() => {
  vi.useRealTimers()
})

test('each refusal says why, and when to come back', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 10, 20, 12) })
  const service = await startTestService({ ANONYMOUS_PER_MINUTE: '2', BAN_AFTER: '2' })
  const { key } = await service.issue({ perMinute: 1 })
  async function messageFor(headers: Record<string, string>): Promise<string | undefined> {
    const response = await service.send('/v1/pets', { headers })
    return response.status === 200 ? undefined : (await response.json()).message
  }
  expect(await messageFor({})).toBe('Send an API key: Authorization: Bearer <API_KEY>.')
  expect(await messageFor({ Authorization: 'Bearer x' })).toBe('The API key is not valid.')
  expect(await messageFor({})).toBe(
    'The limit of 2 requests per minute without a valid API key is reached. Retry in 60 s.',
  )
  const Authorization = `Bearer ${key}`
  expect(await messageFor({ Authorization })).toBeUndefined()
  expect(await messageFor({ Authorization })).toBe(
    'The limit of 1 requests is reached. Retry in 60 s.',
  )
  expect(await messageFor({ Authorization })).toBe(
    'The API key is banned after repeated requests over its limit. Retry in 300 s.',
  )
})
