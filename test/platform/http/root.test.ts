import { expect, test } from 'vitest'
import type { Settings } from '../../../server/description/settings.ts'
import { readMetrics, requestsOf } from '../../helpers/metrics.ts'
import { startServiceOf } from '../../helpers/service.ts'
import { echo } from '../validation/support/echo-service.ts'
import { json } from '../validation/support/kinds-service.ts'
import { createSmallApi, type SmallOperation } from '../validation/support/small-api.ts'

/** Returns an operation with a path; its response has the values of the parameters. */
function read(path: string, others: Partial<SmallOperation> = {}): SmallOperation {
  const names = Array.from(path.matchAll(/\{([^}]+)\}/g), ([, name = '']) => name)
  const parameters = names.map((name) => {
    return { name, in: 'path', required: true, schema: { type: 'string' } }
  })
  return { method: 'get', path, parameters, response: json(true), handler: echo, ...others }
}

function startAtRoot(operations: readonly SmallOperation[], settings: Settings = {}) {
  return startServiceOf(createSmallApi(operations, {}, [], '3.1.0', settings), { OPS_PORT: '0' })
}

const documents = ['/docs', '/docs/index.md', '/llms.txt', '/openapi.json', '/openapi.yaml']
const pages = [...documents, '/livez', '/readyz']

test('at the root, operations and the pages of the service are beside each other', async () => {
  const service = await startAtRoot([read('/items'), read('/items/{id}')])
  const { ask, send, origin } = service
  for (const path of pages) {
    expect((await fetch(origin + path)).status, path).toBe(200)
  }
  const rejected = await fetch(`${origin}/livez`, { method: 'DELETE' })
  expect(rejected.headers.get('allow')).toBe('GET, HEAD, OPTIONS')
  expect(await ask('/items/a')).toMatchObject({ status: 200, path: { id: 'a' } })
  expect((await send('/items', { method: 'HEAD' })).status).toBe(200)
  expect((await send('/items', { method: 'OPTIONS' })).status).toBe(204)
  expect(await ask('/items', { method: 'DELETE' })).toMatchObject({ status: 405 })

  const undeclared = await send('/v1/items')
  expect([undeclared.status, undeclared.headers.has('x-ratelimit-limit')]).toEqual([404, true])
  // Every operation needs a key.
  expect((await send('/favicon.ico', { key: '' })).status).toBe(401)

  const series = await readMetrics(service)
  expect(requestsOf(series, '(page)', 200)).toBe(documents.length)
  expect(requestsOf(series, '(probe)', 200)).toBe(2)
  expect(requestsOf(series, '(unknown)', 404)).toBe(1)
})

test('at the root, unknown paths are 404 without a key where an operation needs none', async () => {
  const security: readonly object[] = []
  const { send } = await startAtRoot([read('/items', { security }), read('/others')])
  expect((await send('/favicon.ico', { key: '' })).status).toBe(404)
  expect((await send('/others', { key: '' })).status).toBe(401)
})

test('an operation at / takes the place of the redirect to the reference', async () => {
  const withOperation = await startAtRoot([read('/')])
  expect(await withOperation.ask('/')).toMatchObject({ status: 200, query: {} })
  const { origin } = await startAtRoot([read('/items')])
  const redirect = await fetch(origin, { redirect: 'manual' })
  expect([redirect.status, redirect.headers.get('location')]).toEqual([302, '/docs'])
})

test('below a base path, an operation at / is at the base path, with a slash or without', async () => {
  const { ask } = await startServiceOf(createSmallApi([read('/')], {}))
  expect(await ask('/v1/')).toMatchObject({ status: 200, query: {} })
})

test('platformPaths moves the pages of the service, so that the API has its own at their paths', async () => {
  const operations = [read('/docs'), read('/livez'), read('/openapi.json'), read('/docs/{name}')]
  const service = await startAtRoot(operations, { platformPaths: '/_platform' })
  const { send, origin } = service
  for (const { path } of operations) {
    const response = await send(path)
    expect(await response.json(), path).toMatchObject({ query: {} })
  }
  for (const path of pages) {
    expect((await fetch(`${origin}/_platform${path}`)).status, path).toBe(200)
  }
  expect((await send('/readyz', { key: '' })).status).toBe(401)

  const redirect = await fetch(`${origin}/_platform`, { redirect: 'manual' })
  expect(redirect.headers.get('location')).toBe('/_platform/docs')
  const page = await (await fetch(`${origin}/_platform/docs`)).text()
  const assets = Array.from(page.matchAll(/(?:src|href)="(docs\/[^"]*)"/g), ([, name]) => name)
  expect(new Set(assets)).toEqual(new Set(['docs/scalar.js', 'docs/page.js', 'docs/index.md']))
  for (const asset of assets) {
    expect((await fetch(`${origin}/_platform/${asset}`)).status, asset).toBe(200)
  }
  expect(page).toContain('data-path="/_platform/docs" data-base-path=""')

  const series = await readMetrics(service)
  expect(requestsOf(series, '(probe)', 200)).toBe(2)
})

test('platformPaths may be below the base path', async () => {
  const api = createSmallApi([read('/{a}/{b}')], {}, '/api', '3.1.0', {
    platformPaths: '/api/_platform',
  })
  const { origin, ask } = await startServiceOf(api)
  expect((await fetch(`${origin}/api/_platform/livez`)).status).toBe(200)
  expect(await ask('/api/a/b')).toMatchObject({ status: 200, path: { a: 'a', b: 'b' } })
})

/** Paths, each with one that it matches and its parameters, and with one that it does not match. */
const paths: readonly (readonly [string, string, object, string])[] = [
  ['/a/{x}.{y}', '/a/1.2', { x: '1', y: '2' }, '/a/1'],
  ['/b/{x}-{y}.json', '/b/1-2.json', { x: '1', y: '2' }, '/b/1-2.xml'],
  ['/c/caf%C3%A9/{x}', '/c/caf%C3%A9/1', { x: '1' }, '/c/cafe/1'],
  ['/d/café/{x}', '/d/caf%C3%A9/1', { x: '1' }, '/d/cafe/1'],
  ['/e/a b', '/e/a%20b', {}, '/e/a+b'],
  ['/f/{x}/', '/f/1/', { x: '1' }, '/f/1'],
  ['/g/Upper', '/g/Upper', {}, '/g/upper'],
  ['/h/(a)+:b*', '/h/(a)+:b*', {}, '/h/a:b'],
  ['/i/{x}:cancel', '/i/1:cancel', { x: '1' }, '/i/1:close'],
  ['/j/{größe}', '/j/1', { größe: '1' }, '/j/1/'],
]

test('paths are matched as they are declared: extensions, encoded texts, slashes and case', async () => {
  const { ask } = await startAtRoot(paths.map(([path]) => read(path)))
  for (const [path, target, values, other] of paths) {
    expect(await ask(target), path).toMatchObject({ status: 200, path: values })
    expect(await ask(other), path).toMatchObject({ status: 404 })
  }
})

test('paths that differ by case or by a slash at their end are operations of their own', async () => {
  const declared = ['/items', '/Items', '/items/', '/items/{id}']
  const named = declared.map((path) =>
    read(path, { handler: () => ({ status: 200, body: { path } }) }),
  )
  for (const requests of [{}, { paths: 'lenient' }] as const) {
    const { send } = await startAtRoot(named, { requests })
    for (const path of declared) {
      expect(await (await send(path.replace('{id}', '1'))).json(), path).toEqual({ path })
    }
  }
})
