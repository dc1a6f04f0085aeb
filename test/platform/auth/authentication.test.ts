import { expect, test } from 'vitest'
import { startFixtureService, startFixtureWith, tools } from '../../helpers/fixture-service.ts'
import { sendBytes } from '../../helpers/raw.ts'

const publicPath = '/lending/v2/opening-hours'

/** Sends a request with these Authorization fields, byte by byte. */
function get(origin: string, fields: readonly string[], path = tools, method = 'GET') {
  const sent = ['Host: a', 'Connection: close', ...fields.map((value) => `Authorization: ${value}`)]
  return sendBytes(origin, `${method} ${path} HTTP/1.1\r\n${sent.join('\r\n')}\r\n\r\n`)
}

test('the scheme Bearer is valid in any case; an empty Authorization counts as missing', async () => {
  const { origin, apiKey } = await startFixtureService()
  for (const scheme of ['Bearer', 'bearer', 'BEARER', 'Bearer  ']) {
    expect((await get(origin, [`${scheme} ${apiKey}`])).status, scheme).toBe(200)
  }
  for (const fields of [[], [''], ['   ']]) {
    const { status, headers, body } = await get(origin, fields)
    expect([status, headers['www-authenticate']]).toEqual([401, 'Bearer'])
    expect(JSON.parse(body)).toEqual({
      code: 'missing_api_key',
      message: 'Send an API key: Authorization: Bearer <API_KEY>.',
      status: 401,
    })
  }
})

test('malformed, unknown, expired and revoked API keys get the same response', async () => {
  const { origin, apiKey, issue, store } = await startFixtureService()
  const key = `Bearer ${apiKey}`
  const expired = await issue({ expiresAt: Date.now() - 1 })
  const revoked = await issue()
  await store.keys.revoke(revoked.id, Date.now())
  // The key of another service has the right form.
  const foreign = await startFixtureService()
  for (const [index, fields] of [
    ['Bearer'],
    [`Bearer ${foreign.apiKey}`],
    [`Bearer ${expired.key}`],
    [`Bearer ${revoked.key}`],
    // Two fields are invalid, even with one key in both.
    [key, key],
  ].entries()) {
    const { status, headers, body } = await get(origin, fields)
    expect([fields, status]).toEqual([fields, 401])
    expect(headers).toMatchObject({
      'www-authenticate': 'Bearer error="invalid_token"',
      // Each counts for its address.
      'x-ratelimit-remaining': `${59 - index}`,
    })
    expect(JSON.parse(body)).toEqual({
      code: 'invalid_api_key',
      message: 'The API key is not valid.',
      status: 401,
    })
  }
})

test('an operation whose security has an empty alternative needs no API key', async () => {
  const security = [{ apiKey: [] }, {}]
  const { origin } = await startFixtureWith({
    edit: ({ paths }) => Object.assign(paths['/tools'].get, { security }),
    operations: { listTools: { security } },
  })
  expect((await get(origin, [])).status).toBe(200)
  expect((await get(origin, ['Bearer x'])).status).toBe(401)
})

test('a public operation needs no API key, and rejects an invalid one', async () => {
  const { origin, apiKey } = await startFixtureService({ ANONYMOUS_PER_MINUTE: '2' })
  const status = async (fields: readonly string[]) => (await get(origin, fields, publicPath)).status
  expect(await status([])).toBe(200)
  expect(await status(['Bearer x'])).toBe(401)
  expect(await status([])).toBe(429)
  expect(await status([`Bearer ${apiKey}`])).toBe(200)
})

test('while the store is closed, a key that is not cached gets 503, and counts for no limit', async () => {
  const service = await startFixtureService()
  const send = (key: string) => service.send(tools, { key })
  expect((await send('x')).headers.get('x-ratelimit-remaining')).toBe('59')
  const { key } = await service.issue()
  await service.store.close()
  for (let attempt = 0; attempt < 3; attempt++) {
    const { status, headers } = await send(key)
    expect(status).toBe(503)
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
    expect(headers.get('x-ratelimit-limit')).toBe('60')
    expect(headers.get('x-ratelimit-remaining')).toBe('59')
  }
  expect((await send('x')).headers.get('x-ratelimit-remaining')).toBe('58')
  expect(JSON.stringify(service.logged)).toContain('closed')
  expect(JSON.stringify(service.logged)).not.toContain(key.slice(0, 8))
})
