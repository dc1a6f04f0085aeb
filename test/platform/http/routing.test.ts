import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { fixtureApi } from '../../fixture-api/fixture-api.ts'
import { startFixtureService } from '../../helpers/fixture-service.ts'
import { exchangeBytes } from '../../helpers/raw.ts'
import { tool, tools } from './support/requests.ts'

const close = 'Host: a\r\nConnection: close\r\n'

test.each([
  '/lending/v2',
  '/lending/v2/',
  '/lending/v2/tools/',
  '/lending/v2//tools',
  '/lending/v2/tools//1',
  '/lending/v2/Tools',
  '/lending/v2/%74ools',
  '/lending/v2/./tools',
  '/lending/v2/tools/../tools',
  '/lending/v2/tools;a=b',
  '/lending/v2/tools/1/2',
  '/lending/v2/dogs',
  '/lending/v2/__proto__',
])('%s is no path of the API: 404 with an API key, 401 without', async (path) => {
  const { origin, apiKey } = await startFixtureService()
  const get = (fields: string) =>
    exchangeBytes(origin, `GET ${path} HTTP/1.1\r\n${close}${fields}\r\n`)
  const known = await get(`Authorization: Bearer ${apiKey}\r\n`)
  expect(known.status).toBe(404)
  expect(JSON.parse(known.body)).toMatchObject({ code: 'not_found', status: 404 })
  expect((await get('')).status).toBe(401)
})

test.each([
  '/',
  '/LENDING/v2/tools',
  '//lending/v2/tools',
  '/tools',
  '/metrics',
  '/favicon.ico',
  '/lending/v2x',
])('%s is outside the API: 404 without an API key', async (path) => {
  const { origin } = await startFixtureService()
  const response = await exchangeBytes(origin, `GET ${path} HTTP/1.1\r\n${close}\r\n`)
  expect(response.status).toBe(404)
  expect(JSON.parse(response.body)).toMatchObject({ code: 'not_found', status: 404 })
})

test.each([
  [tools, 'GET, HEAD, OPTIONS, POST'],
  [`${tools}/1`, 'DELETE, GET, HEAD, OPTIONS, PATCH, PUT'],
  ['/lending/v2/opening-hours', 'GET, HEAD, OPTIONS'],
])('%s has Allow: %s for OPTIONS, and with 405 for every other method', async (path, allow) => {
  const { send, apiKey } = await startFixtureService()
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
  expect((await send(path, { method: 'PROPFIND', headers: {} })).status).toBe(401)
})

test('HEAD gets the status and headers of GET, without content', async () => {
  const { send, apiKey } = await startFixtureService()
  const key = { Authorization: `Bearer ${apiKey}` }
  const json = { ...key, 'Content-Type': 'application/json' }
  await send(tools, { method: 'POST', headers: json, body: tool })
  for (const path of [tools, `${tools}/1`, `${tools}/2`, `${tools}?limit=0`, '/livez']) {
    const headers = { ...key, 'X-Request-Id': 'a-request-of-mine' }
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

test('a target in absolute form means the same as its path', async () => {
  const { origin, apiKey } = await startFixtureService()
  const target = `${origin}${tools}?limit=1`
  const request = `GET ${target} HTTP/1.1\r\n${close}Authorization: Bearer ${apiKey}\r\n\r\n`
  expect((await exchangeBytes(origin, request)).status).toBe(200)
})

test('the description and the health checks are served without an API key', async () => {
  const { send } = await startFixtureService()
  const get = (path: string) => send(path, { headers: {} })
  const json = await get('/openapi.json')
  expect(json.headers.get('content-type')).toBe('application/json')
  expect(await json.json()).toEqual(fixtureApi.description)
  const yaml = await get('/openapi.yaml')
  expect(yaml.headers.get('content-type')).toBe('application/yaml')
  expect(parse(await yaml.text())).toEqual(fixtureApi.description)
  expect(await (await get('/livez')).json()).toEqual({ status: 'ok' })
  expect(await (await get('/readyz')).json()).toEqual({ status: 'ok' })
  const posted = await send('/livez', { method: 'POST', headers: {} })
  expect(posted.status).toBe(405)
  expect(posted.headers.get('allow')).toBe('GET, HEAD, OPTIONS')
})
