import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { fixtureApi } from '../../fixture-api/fixture-api.ts'
import { createRequests, startFixtureService, tool, tools } from '../../helpers/fixture-service.ts'
import { sendBytes } from '../../helpers/raw.ts'

const close = 'Connection: close\r\n'

/** Paths that are no path of the API, and others outside of it. */
const unknown = {
  of: [
    ...['', '/', '/tools/', '//tools', '/tools//1', '/Tools', '/%74ools', '/./tools'],
    ...['/tools/../tools', '/tools;a=b', '/tools/1/2', '/dogs', '/__proto__'],
  ].map((path) => `/lending/v2${path}`),
  outside: [
    ...['/', '/LENDING/v2/tools', '//lending/v2/tools', '/tools', '/metrics', '/favicon.ico'],
    '/lending/v2x',
  ],
}

test('an unknown path is 404, in the API only with an API key', async () => {
  const service = await startFixtureService()
  const { get } = createRequests(service)
  const ask = async (path: string, known: boolean) => {
    const request = get(path, close)
    const sent = known ? request : request.replace(/Authorization: .*\r\n/, '')
    const { status, body } = await sendBytes(service.origin, sent)
    return [path, status, JSON.parse(body).code]
  }
  for (const path of unknown.of) {
    expect(await ask(path, true)).toEqual([path, 404, 'not_found'])
    expect(await ask(path, false)).toEqual([path, 401, 'missing_api_key'])
  }
  for (const path of unknown.outside) {
    expect(await ask(path, false)).toEqual([path, 404, 'not_found'])
  }
})

/** Request targets, each with its status, and the code or the place of the violation. */
const targets: readonly (readonly [target: string, status: number, error?: string])[] = [
  [`http://a${tools}`, 200],
  [`http://me:secret@a${tools}`, 400, 'bad_request_framing'],
  ['*', 400, 'bad_request_framing'],
  [`${tools}#there`, 400, 'bad_request_framing'],
  [`${tools}/%2e%2e/tools`, 404, 'not_found'],
  [`${tools}/1%2F2`, 400, '/path/toolId'],
  [`${tools}/%`, 400, '/path/toolId'],
  [`${tools}?&&%6Cimit=1&`, 200],
  [`${tools}?limit=%EF%BC%91`, 400, '/query/limit'],
  [`${tools}?li%00mit=1`, 400, '/query/li\0mit'],
]

test('each form of a request target has its status, and the place of a violation', async () => {
  const service = await startFixtureService()
  const { get } = createRequests(service)
  for (const [target, ...expected] of targets) {
    const { status, body } = await sendBytes(service.origin, get(target, close))
    const { code, details } = status === 200 ? {} : JSON.parse(body)
    const error = code === 'invalid_request' ? details[0].path : code
    expect([target, status, ...(error === undefined ? [] : [error])]).toEqual([target, ...expected])
  }
  expect(service.logged).toEqual([])
})

test('OPTIONS has the methods of a path in Allow, and so has 405 for every other method', async () => {
  const { send } = await startFixtureService()
  for (const [path, allow] of [
    [tools, 'GET, HEAD, OPTIONS, POST'],
    [`${tools}/1`, 'DELETE, GET, HEAD, OPTIONS, PATCH, PUT'],
    ['/lending/v2/opening-hours', 'GET, HEAD, OPTIONS'],
  ] as const) {
    const options = await send(path, { method: 'OPTIONS' })
    expect([options.status, options.headers.get('allow')]).toEqual([204, allow])
    expect(await options.text()).toBe('')
    for (const method of ['PUT', 'PATCH', 'DELETE', 'PROPFIND', 'QUERY', 'POST', 'GET']) {
      if (allow.includes(method)) continue
      const response = await send(path, { method })
      expect([response.status, response.headers.get('allow')]).toEqual([405, allow])
      expect(await response.json()).toMatchObject({ code: 'method_not_allowed', status: 405 })
    }
    for (const method of ['OPTIONS', 'PROPFIND']) {
      expect((await send(path, { method, key: '' })).status).toBe(401)
    }
  }
})

test('HEAD gets the status and headers of GET, without content', async () => {
  const { send } = await startFixtureService()
  await send(tools, { json: tool })
  const headers = { 'X-Request-Id': 'a-request-of-mine' }
  const changing = /^(connection|keep-alive|date|x-ratelimit-(remaining|reset))$/
  for (const path of [tools, `${tools}/1`, `${tools}/2`, `${tools}?limit=0`, '/livez']) {
    const get = await send(path, { headers })
    const head = await send(path, { method: 'HEAD', headers })
    expect([head.status, await head.text()]).toEqual([get.status, ''])
    const steady = ([name]: [string, string]) => !changing.test(name)
    expect([...head.headers].filter(steady)).toEqual([...get.headers].filter(steady))
  }
})

test('the description and the health checks are served without an API key', async () => {
  const { send } = await startFixtureService()
  const get = (path: string) => send(path, { key: '' })
  const json = await get('/openapi.json')
  expect(json.headers.get('content-type')).toBe('application/json')
  expect(await json.json()).toEqual(fixtureApi.description)
  const yaml = await get('/openapi.yaml')
  expect(yaml.headers.get('content-type')).toBe('application/yaml')
  expect(parse(await yaml.text())).toEqual(fixtureApi.description)
  for (const path of ['/livez', '/readyz']) {
    expect(await (await get(path)).json()).toEqual({ status: 'ok' })
  }
  const posted = await send('/livez', { method: 'POST', key: '' })
  expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS'])
})

test('/readyz asks the store, and never twice at the same time, however many clients ask', async () => {
  const { store, origin } = await startFixtureService()
  let [pings, running, most] = [0, 0, 0]
  Object.assign(store, {
    async ping() {
      pings++
      running++
      most = Math.max(most, running)
      await wait(20)
      running--
    },
  })
  const asked = Array.from({ length: 50 }, () => fetch(`${origin}/readyz`))
  for (const { status } of await Promise.all(asked)) expect(status).toBe(200)
  expect(most).toBe(1)
  const before = pings
  await fetch(`${origin}/readyz`)
  expect(pings).toBe(before + 1)
})
