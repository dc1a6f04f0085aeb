import { expect, test } from 'vitest'
import { startTestService } from '../support/service.ts'

test('the scheme is case-insensitive, and more than one space may follow it', async () => {
  const { send, apiKey } = await startTestService()
  for (const scheme of ['Bearer', 'bearer', 'BEARER', 'Bearer  ']) {
    const response = await send('/v1/pets', { headers: { Authorization: `${scheme} ${apiKey}` } })
    expect(response.status).toBe(200)
  }
})

test.each(['', '   '])('the Authorization %j counts as missing', async (value) => {
  const { send } = await startTestService()
  const response = await send('/v1/pets', { headers: value === '' ? {} : { Authorization: value } })
  expect(response.status).toBe(401)
  expect(response.headers.get('www-authenticate')).toBe('Bearer')
  expect(await response.json()).toMatchObject({ code: 'missing_api_key', status: 401 })
})

test('malformed, unknown, expired and revoked keys get the same answer', async () => {
  const { send, apiKey, issue, store } = await startTestService()
  const expired = await issue({ expiresAt: Date.now() - 1 })
  const revoked = await issue()
  await store.keys.revoke(revoked.id, Date.now())
  const { createApiKey } = await import('../../server/access/api-key.ts')
  const answers = await Promise.all(
    [
      'Bearer',
      'Bearer x',
      `Bearer ${apiKey} ${apiKey}`,
      `Bearer ${apiKey}, Bearer ${apiKey}`,
      `Basic ${apiKey}`,
      apiKey,
      `Bearer ${apiKey.toUpperCase()}`,
      `Bearer ${apiKey.slice(0, -1)}`,
      `Bearer ${apiKey}0`,
      `Bearer "${apiKey}"`,
      `Bearer ${createApiKey()}`,
      `Bearer ${expired.key}`,
      `Bearer ${revoked.key}`,
      `Bearer ${'a'.repeat(5_000)}`,
    ].map((Authorization) => send('/v1/pets', { headers: { Authorization } })),
  )
  const bodies = await Promise.all(answers.map((response) => response.json()))
  expect(new Set(bodies.map((body) => JSON.stringify(body))).size).toBe(1)
  expect(bodies[0]).toMatchObject({ code: 'invalid_api_key', status: 401 })
  for (const response of answers) {
    expect(response.status).toBe(401)
    expect(response.headers.get('www-authenticate')).toBe('Bearer error="invalid_token"')
  }
})

test('two Authorization fields are refused, even with one key in both', async () => {
  const { origin, apiKey } = await startTestService()
  const { exchangeBytes } = await import('../support/raw.ts')
  const field = `Authorization: Bearer ${apiKey}\r\n`
  const head = `GET /v1/pets HTTP/1.1\r\nHost: a\r\nConnection: close\r\n`
  expect((await exchangeBytes(origin, `${head}${field}\r\n`)).status).toBe(200)
  expect((await exchangeBytes(origin, `${head}${field}${field}\r\n`)).status).toBe(401)
})

test('no key reaches the log', async () => {
  const { send, apiKey, store, logged } = await startTestService()
  expect((await send('/v1/pets')).status).toBe(200)
  await store.close()
  expect((await send('/v1/pets')).status).toBe(503)
  expect(JSON.stringify(logged)).toContain('closed')
  expect(JSON.stringify(logged)).not.toContain(apiKey.slice(0, 8))
})
