import { expect, test } from 'vitest'
import { createApiKey } from '../../../server/security/api-key.ts'
import { startFixtureService, startFixtureWith, tools } from '../../helpers/fixture-service.ts'
import { askBytes } from '../../helpers/raw.ts'

const publicPath = '/lending/v2/opening-hours'

/** Sends a request with these Authorization fields, byte by byte. */
function get(origin: string, fields: readonly string[], path = tools) {
  const sent = ['Host: a', 'Connection: close', ...fields.map((value) => `Authorization: ${value}`)]
  return askBytes(origin, `GET ${path} HTTP/1.1\r\n${sent.join('\r\n')}\r\n\r\n`)
}

test('the scheme Bearer is valid in any case; an empty Authorization counts as missing', async () => {
  const { origin, apiKey } = await startFixtureService()
  for (const scheme of ['Bearer', 'bearer', 'BEARER', 'Bearer  ']) {
    expect((await get(origin, [`${scheme} ${apiKey}`])).status, scheme).toBe(200)
  }
  for (const fields of [[], [''], ['   ']]) {
    const response = await get(origin, fields)
    expect(response).not.toHaveProperty('details')
    expect(response).toMatchObject({
      status: 401,
      code: 'missing_api_key',
      message: 'Send an API key: Authorization: Bearer <API_KEY>.',
      'www-authenticate': 'Bearer',
    })
  }
})

test('malformed, unknown, expired and revoked API keys get the same response', async () => {
  const { origin, apiKey, issue, store } = await startFixtureService()
  const key = `Bearer ${apiKey}`
  const expired = await issue({ expiresAt: Date.now() - 1 })
  const revoked = await issue()
  await store.keys.revoke(revoked.id, Date.now())
  for (const [index, fields] of [
    ['Bearer'],
    [`Bearer ${createApiKey()}`],
    [`Bearer ${expired.key}`],
    [`Bearer ${revoked.key}`],
    // Two fields are invalid, even with one key in both.
    [key, key],
  ].entries()) {
    const response = await get(origin, fields)
    expect(response, fields.join()).not.toHaveProperty('details')
    expect(response, fields.join()).toMatchObject({
      status: 401,
      code: 'invalid_api_key',
      message: 'The API key is not valid.',
      'www-authenticate': 'Bearer error="invalid_token"',
      // Each counts for its address.
      'x-ratelimit-remaining': `${59 - index}`,
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

test('a public operation ignores credentials, and counts for the address', async () => {
  const { origin, apiKey } = await startFixtureService({ ANONYMOUS_PER_MINUTE: '3' })
  const status = async (fields: readonly string[]) => (await get(origin, fields, publicPath)).status
  expect(await status([])).toBe(200)
  expect(await status(['Bearer x'])).toBe(200)
  expect(await status([`Bearer ${apiKey}`])).toBe(200)
  expect(await status([`Bearer ${apiKey}`])).toBe(429)
})

test('while the store is closed, a key that is not cached gets 503, and counts for no limit', async () => {
  const { ask, issue, store, logged } = await startFixtureService()
  const left = (remaining: number) => ({
    'x-ratelimit-limit': '60',
    'x-ratelimit-remaining': `${remaining}`,
  })
  expect(await ask(tools, { key: 'x' })).toMatchObject({ status: 401, ...left(59) })
  const { key } = await issue()
  await store.close()
  for (let attempt = 0; attempt < 3; attempt++) {
    const rejected = { status: 503, 'retry-after': '1', ...left(59) }
    expect(await ask(tools, { key })).toMatchObject(rejected)
  }
  expect(await ask(tools, { key: 'x' })).toMatchObject(left(58))
  expect(JSON.stringify(logged)).toContain('closed')
  expect(JSON.stringify(logged)).not.toContain(key.slice(0, 8))
})
