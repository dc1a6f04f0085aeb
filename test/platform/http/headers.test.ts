import { expect, test } from 'vitest'
import { startFixtureService } from '../../helpers/fixture-service.ts'
import { tool, tools } from './support/requests.ts'

test('every response has the headers that the description requires', async () => {
  const { send, apiKey } = await startFixtureService()
  const key = { Authorization: `Bearer ${apiKey}` }
  const json = { ...key, 'Content-Type': 'application/json' }
  for (const [status, path, init] of [
    [201, tools, { method: 'POST', headers: json, body: tool }],
    [200, tools, {}],
    [200, `${tools}/1`, {}],
    [200, `${tools}/1`, { method: 'PUT', headers: json, body: tool }],
    [204, `${tools}/1`, { method: 'DELETE', headers: key }],
    [404, `${tools}/2`, {}],
    [400, `${tools}?limit=0`, {}],
    [404, '/lending/v2/nothing', {}],
    [405, tools, { method: 'DELETE', headers: key }],
    [204, tools, { method: 'OPTIONS', headers: key }],
    [401, tools, { headers: {} }],
    [406, tools, { headers: { ...key, Accept: 'text/html' } }],
    [415, tools, { method: 'POST', headers: key, body: '{}' }],
  ] as const) {
    const response = await send(path, init)
    expect(response.status).toBe(status)
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
    expect(response.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
    expect(response.headers.get('x-ratelimit-limit')).toMatch(/^\d+$/)
    expect(response.headers.get('x-ratelimit-remaining')).toMatch(/^\d+$/)
    expect(Number(response.headers.get('x-ratelimit-reset'))).toBeGreaterThan(Date.now() / 1000)
    for (const absent of ['etag', 'x-powered-by', 'last-modified', 'accept-ranges']) {
      expect(response.headers.get(absent)).toBeNull()
    }
  }
})

test.each([
  ['abcdefgh', true],
  ['A-1'.repeat(21), true],
  ['a'.repeat(64), true],
  ['a'.repeat(65), false],
  ['abcdefg', false],
  ['with space', false],
  ['a_b_c_d_e', false],
])('the X-Request-Id %s of a request is kept: %s', async (id, isKept) => {
  const { send } = await startFixtureService()
  const response = await send('/livez', { headers: { 'X-Request-Id': id } })
  if (isKept) expect(response.headers.get('x-request-id')).toBe(id)
  else expect(response.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
})

test.each([
  ['*/*', 200],
  ['application/json', 200],
  ['application/*;q=0.1, text/html', 200],
  ['APPLICATION/JSON', 200],
  ['', 200],
  ['application/json; charset=utf-8', 200],
  ['application/json;version=1', 200],
  ['text/html, application/json;a="x,y;q=0";Q=0.5', 200],
  ['application/json;version=1;q=0, application/json', 200],
  ['*/*;q=0, application/json;q=0.001', 200],
  ['text/html', 406],
  ['application/json;charset=utf-8;q=0.000', 406],
  ['application/*;q=0, */*', 406],
  ['text/html;a="application/json, */*"', 406],
  ['json', 406],
  ['application/json;q=0', 406],
  ['*/*, application/json;q=0', 406],
  ['application/xml, text/plain;q=0.5', 406],
  [',', 200],
  [' , ,', 200],
  [', text/html', 406],
])('Accept: %s gets %i', async (accept, status) => {
  const { send, apiKey } = await startFixtureService()
  const headers = { Authorization: `Bearer ${apiKey}`, Accept: accept }
  const response = await send(tools, { headers })
  expect(response.status).toBe(status)
  expect(response.headers.get('content-type')).toBe('application/json')
  if (status === 406)
    expect(await response.json()).toMatchObject({ code: 'not_acceptable', status })
})

test('conditional headers and Range change no response', async () => {
  const { send, apiKey } = await startFixtureService()
  const response = await send('/lending/v2/opening-hours', {
    headers: {
      Authorization: `Bearer ${apiKey}`,
      'If-None-Match': '*',
      'If-Modified-Since': new Date(Date.now() + 1e6).toUTCString(),
      Range: 'bytes=0-1',
    },
  })
  expect(response.status).toBe(200)
  expect(await response.json()).toMatchObject({ sat: null })
})
