import { setTimeout as wait } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { parse } from 'yaml'
import type { CallableHandler } from '../../../server/contract/handler.ts'
import { parameterNamesIn } from '../../../server/contract/path-template.ts'
import { fixtureApi } from '../../fixture-api/fixture-api.ts'
import {
  createRequests,
  secured,
  startFixtureService,
  startFixtureWith,
  tool,
  tools,
} from '../../helpers/fixture-service.ts'
import { askBytes } from '../../helpers/raw.ts'
import { startServiceOf } from '../../helpers/service.ts'
import { createSmallApi, type SmallOperation } from '../validation/support/small-api.ts'

const close = 'Connection: close\r\n'

/** Paths that are no path of the API, and others outside of it. */
const unknown = {
  of: [
    ...['', '/', '/tools/', '//tools', '/tools//1', '/Tools', '/%74ools', '/./tools'],
    ...['/tools/../tools', '/tools;a=b', '/tools/1/2', '/dogs', '/__proto__'],
  ].map((path) => `/lending/v2${path}`),
  outside: [
    ...['//', '/LENDING/v2/tools', '//lending/v2/tools', '/tools', '/metrics', '/favicon.ico'],
    '/lending/v2x',
  ],
}

test('an unknown path is 404, in an API that is secured only with an API key', async () => {
  const service = await startFixtureWith(secured)
  const { get } = createRequests(service)
  const anonymous = (path: string) =>
    askBytes(service.origin, get(path, close).replace(/Authorization: .*\r\n/, ''))
  const notFound = { status: 404, code: 'not_found' }
  for (const path of unknown.of) {
    expect(await askBytes(service.origin, get(path, close)), path).toMatchObject(notFound)
    expect(await anonymous(path), path).toMatchObject({ status: 401, code: 'missing_api_key' })
  }
  for (const path of unknown.outside) {
    expect(await anonymous(path), path).toMatchObject(notFound)
  }
})

test('an unknown path is 404 without an API key where an operation needs none', async () => {
  const { ask } = await startFixtureService()
  for (const path of ['/lending/v2', '/lending/v2/dogs', '/lending/v2/tools/1/2']) {
    expect(await ask(path, { key: '' }), path).toMatchObject({ status: 404, code: 'not_found' })
  }
  expect(await ask('/lending/v2/dogs', { key: 'x' })).toMatchObject({ status: 401 })
})

const misframed = { status: 400, code: 'bad_request_framing' }
const rejectedAt = (path: string) => ({ status: 400, details: [{ path }] })

/** Request targets, each with a part of its response. */
const targets: readonly (readonly [target: string, shown: object])[] = [
  [`http://a${tools}`, { status: 200 }],
  [`http://me:secret@a${tools}`, misframed],
  ['*', misframed],
  [`${tools}#there`, misframed],
  [`${tools}/%2e%2e/tools`, { status: 404 }],
  [`${tools}/1%2F2`, rejectedAt('/path/toolId')],
  [`${tools}/%`, rejectedAt('/path/toolId')],
  [`${tools}?&&%6Cimit=1&`, { status: 200 }],
  [`${tools}?limit=%EF%BC%91`, rejectedAt('/query/limit')],
  [`${tools}?li%00mit=1`, rejectedAt('/query/li\0mit')],
]

test('each form of a request target has its status, and the place of a violation', async () => {
  const service = await startFixtureService()
  const { get } = createRequests(service)
  for (const [target, shown] of targets) {
    expect(await askBytes(service.origin, get(target, close)), target).toMatchObject(shown)
  }
  expect(service.logged).toEqual([])
})

// In an order in which the first path that matches would be the wrong one.
const templates = ['/{kind}/{id}', '/{kind}/mine', '/items/{id}', '/items/{id}.json', '/items/mine']
const matched: Readonly<Record<string, string>> = {
  '/tools/7': '/{kind}/{id}',
  '/tools/mine': '/{kind}/mine',
  '/items/7': '/items/{id}',
  '/items/7.json': '/items/{id}.json',
  '/items/mine': '/items/mine',
}

test('a concrete path comes before a templated one that matches, too, in any order of the description', async () => {
  const operations = templates.map((path): SmallOperation => {
    const parameters = parameterNamesIn(path).map((name) => {
      return { name, in: 'path', required: true, schema: { type: 'string' } }
    })
    const response = { content: { 'application/json': { schema: { type: 'string' } } } }
    const handler: CallableHandler = (_values, { respond }) => respond(200, path)
    return { method: 'get', path, parameters, response, handler }
  })
  for (const ordered of [operations, operations.toReversed()]) {
    const { send } = await startServiceOf(createSmallApi(ordered, {}))
    for (const [target, template] of Object.entries(matched)) {
      const response = await send(`/v1${target}`)
      expect.soft([target, await response.json()]).toEqual([target, template])
    }
  }
})

test('OPTIONS has the methods of a path in Allow, and so has 405 for every other method', async () => {
  const { ask } = await startFixtureService()
  for (const [path, allow] of [
    [tools, 'GET, HEAD, OPTIONS, POST'],
    [`${tools}/1`, 'DELETE, GET, HEAD, OPTIONS, PATCH, PUT'],
    ['/lending/v2/opening-hours', 'GET, HEAD, OPTIONS'],
    ['/livez', 'GET, HEAD, OPTIONS'],
  ] as const) {
    expect(await ask(path, { method: 'OPTIONS' }), path).toMatchObject({ status: 204, allow })
    const rejected = { status: 405, code: 'method_not_allowed', allow }
    for (const method of ['PUT', 'PATCH', 'DELETE', 'PROPFIND', 'QUERY', 'POST', 'GET']) {
      if (allow.includes(method)) {
        continue
      }
      expect(await ask(path, { method }), method).toMatchObject(rejected)
    }
  }
})

test('OPTIONS and undeclared methods need an API key in an API that is secured', async () => {
  const { ask } = await startFixtureWith(secured)
  for (const path of [tools, '/lending/v2/opening-hours']) {
    for (const method of ['OPTIONS', 'PROPFIND']) {
      expect(await ask(path, { method, key: '' }), path).toMatchObject({ status: 401 })
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
  const expectContent = async (path: string, mediaType: string, content: unknown) => {
    const response = await send(path, { key: '' })
    expect(response.headers.get('content-type'), path).toBe(mediaType)
    const text = await response.text()
    const read = mediaType.endsWith('yaml') ? parse(text) : JSON.parse(text)
    expect(read, path).toEqual(content)
  }
  await expectContent('/openapi.json', 'application/json', fixtureApi.description)
  await expectContent('/openapi.yaml', 'application/yaml', fixtureApi.description)
  for (const path of ['/livez', '/readyz']) {
    await expectContent(path, 'application/json', { status: 'ok' })
  }
})

test('/readyz asks the store, and never twice at the same time, however many clients ask', async () => {
  const { store, origin } = await startFixtureService()
  let [running, most] = [0, 0]
  const ping = vi.spyOn(store, 'ping').mockImplementation(async () => {
    most = Math.max(most, ++running)
    await wait(20)
    running--
  })
  const asked = Array.from({ length: 50 }, () => fetch(`${origin}/readyz`))
  for (const { status } of await Promise.all(asked)) {
    expect(status).toBe(200)
  }
  expect(most).toBe(1)
  const before = ping.mock.calls.length
  await fetch(`${origin}/readyz`)
  expect(ping).toHaveBeenCalledTimes(before + 1)
})
