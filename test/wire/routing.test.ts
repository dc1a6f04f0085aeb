import { expect, test } from 'vitest'
import { exchangeBytes } from '../support/raw.ts'
import { startTestService } from '../support/service.ts'

test.each([
  '/v1',
  '/v1/',
  '/v1/pets/',
  '/v1//pets',
  '/v1/pets//1',
  '/v1/Pets',
  '/v1/%70ets',
  '/v1/./pets',
  '/v1/pets/../pets',
  '/v1/pets;a=b',
  '/v1/pets/1/2',
  '/v1/dogs',
  '/v1/__proto__',
])('there is no path %s, with a key and without', async (path) => {
  const { origin, apiKey } = await startTestService()
  const ask = (headers: string) =>
    exchangeBytes(origin, `GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${headers}\r\n`)
  const known = await ask(`Authorization: Bearer ${apiKey}\r\n`)
  expect(known.status).toBe(404)
  expect(JSON.parse(known.body)).toMatchObject({ code: 'not_found', status: 404 })
  expect((await ask('')).status).toBe(401)
})

test.each(['/', '/V1/pets', '//v1/pets', '/pets', '/metrics', '/favicon.ico', '/v1x'])(
  'outside the contract there is no %s, and no key is asked for',
  async (path) => {
    const { origin } = await startTestService()
    const answer = await exchangeBytes(
      origin,
      `GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`,
    )
    expect(answer.status).toBe(404)
    expect(JSON.parse(answer.body)).toMatchObject({ code: 'not_found', status: 404 })
  },
)

test.each([
  ['/v1/pets', 'GET, HEAD, OPTIONS, POST'],
  ['/v1/pets/1', 'GET, HEAD, OPTIONS'],
])('%s answers OPTIONS, and every method that it lacks, with Allow: %s', async (path, allow) => {
  const { send, apiKey } = await startTestService()
  const headers = { Authorization: `Bearer ${apiKey}` }
  const options = await send(path, { method: 'OPTIONS', headers })
  expect(options.status).toBe(204)
  expect(options.headers.get('allow')).toBe(allow)
  expect(await options.text()).toBe('')
  for (const method of ['PUT', 'PATCH', 'DELETE', 'PROPFIND', 'QUERY', 'POST', 'GET']) {
    if (allow.includes(method)) continue
    const response = await send(path, { method, headers })
    expect(response.status).toBe(405)
    expect(response.headers.get('allow')).toBe(allow)
    expect(await response.json()).toMatchObject({ code: 'method_not_allowed', status: 405 })
  }
  expect((await send(path, { method: 'OPTIONS', headers: {} })).status).toBe(401)
  expect((await send(path, { method: 'DELETE', headers: {} })).status).toBe(401)
})

test('HEAD answers like GET, without the content', async () => {
  const { send, client, apiKey } = await startTestService()
  await client.createPet({ name: 'Rex', categoryId: 7 })
  for (const path of ['/v1/pets', '/v1/pets/1', '/v1/pets/2', '/v1/pets?limit=0', '/livez']) {
    const headers = { Authorization: `Bearer ${apiKey}`, 'X-Request-Id': 'a-request-of-mine' }
    const get = await send(path, { headers })
    const head = await send(path, { method: 'HEAD', headers })
    expect(head.status).toBe(get.status)
    expect(await head.text()).toBe('')
    const changing = [
      'connection',
      'keep-alive',
      'date',
      'x-ratelimit-remaining',
      'x-ratelimit-reset',
    ]
    const steady = ([name]: [string, string]) => !changing.includes(name)
    expect([...head.headers].filter(steady)).toEqual([...get.headers].filter(steady))
  }
})

test('the service shows its contract and its state, and nothing else', async () => {
  const { send } = await startTestService()
  const json = await send('/openapi.json', { headers: {} })
  expect(json.headers.get('content-type')).toBe('application/json')
  const { default: contract } = await import('../../generated/openapi.json', {
    with: { type: 'json' },
  })
  expect(await json.json()).toEqual(contract)
  const yaml = await send('/openapi.yaml', { headers: {} })
  expect(yaml.headers.get('content-type')).toBe('application/yaml')
  const { parse } = await import('yaml')
  expect(parse(await yaml.text())).toEqual(contract)
  expect(await (await send('/livez', { headers: {} })).json()).toEqual({ status: 'ok' })
  expect(await (await send('/readyz', { headers: {} })).json()).toEqual({ status: 'ok' })
  const posted = await send('/livez', { method: 'POST', headers: {} })
  expect(posted.status).toBe(405)
  expect(posted.headers.get('allow')).toBe('GET, HEAD, OPTIONS')
})
