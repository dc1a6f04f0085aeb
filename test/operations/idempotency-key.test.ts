import { expect, test } from 'vitest'
import { exchangeBytes } from '../support/raw.ts'
import { startTestService } from '../support/service.ts'
import { animal, count, post } from './support/creating.ts'

test.each([
  '"',
  '""',
  '"abc',
  '"a"b"',
  '"a\\b"',
  'ä',
  'a\tb',
  'a'.repeat(256),
  `"${'a'.repeat(256)}"`,
])('the key %s is refused', async (key) => {
  const service = await startTestService()
  const response = await post(service, key)
  expect(response.status).toBe(400)
  expect((await response.json()).details[0]).toMatchObject({ path: '/headers/idempotency-key' })
  expect(await count(service)).toBe(0)
})

test('the longest and the shortest key are taken', async () => {
  const service = await startTestService()
  for (const key of ['a', 'a'.repeat(255), 'two words', `"${'\\"'.repeat(255)}"`]) {
    expect((await post(service, key)).status).toBe(201)
  }
})

test('a quote that nothing closes, or opens, is a part of the key', async () => {
  const service = await startTestService()
  for (const key of ['a"', 'b"', '"a"', 'a']) await post(service, key)
  // The two last are the same key.
  expect(await count(service)).toBe(3)
})

test('two Idempotency-Key fields are refused', async () => {
  const service = await startTestService()
  const body = JSON.stringify(animal)
  const field = 'Idempotency-Key: abc\r\n'
  const answer = await exchangeBytes(
    service.origin,
    `POST /v1/pets HTTP/1.1\r\nHost: a\r\nConnection: close\r\nAuthorization: Bearer ${service.apiKey}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n${field}${field}\r\n${body}`,
  )
  expect(answer.status).toBe(400)
})
