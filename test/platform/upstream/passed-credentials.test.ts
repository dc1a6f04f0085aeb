import express, { type RequestHandler } from 'express'
import { expect, test } from 'vitest'
import { sampled } from '../../../server/contract/handler.ts'
import { issueDevelopmentKey } from '../../../server/security/development-key.ts'
import type { Api } from '../../../server/served-api.ts'
import { fixturePlans } from '../../fixture-api/plans.ts'
import { bundleBesidePlatform, toApi } from '../../helpers/compiled-api.ts'
import { startServiceOf } from '../../helpers/service.ts'
import { serve, shopApi, startInFrontOf } from './support/shop.ts'

const orders = '/shop/v1/orders'

/** The shop, whose upstream checks all credentials. */
const passingShop: Api = {
  ...shopApi,
  createAuthenticators: ({ passToUpstream }) => ({
    apiKey: passToUpstream('apiKey', { plan: 'workshop' }),
  }),
}

/** Accepts two tokens, forbids a third one, and rejects others in a format of its own. */
const checkTokens: RequestHandler = (request, response) => {
  const { authorization, 'x-caller-id': caller } = request.headers
  if (authorization === 'Bearer token-of-ada' || authorization === 'Bearer token-of-eve') {
    response.set('X-Total', '0').set('X-Caller', String(caller)).json([])
  } else if (authorization === 'Bearer token-without-scope') {
    response.status(403).json({ reason: 'no scope' })
  } else {
    response.status(401).json({ reason: 'unknown token' })
  }
}

function startShop(environment: Readonly<Record<string, string>> = {}) {
  return startInFrontOf(express().use(checkTokens), environment, passingShop)
}

test('a token that the service does not know is forwarded, and its response comes back', async () => {
  const { ask, send, requestLines, logged } = await startShop({ NODE_ENV: 'production' })
  const ada = await ask(orders, { key: 'token-of-ada' })
  expect(ada).toMatchObject({
    status: 200,
    'x-caller': expect.stringMatching(/^upstream_[0-9a-f]{32}$/),
    'x-ratelimit-limit': '200',
    'x-ratelimit-remaining': '199',
  })
  // Each credential has limits of its own, and is the same caller again.
  expect(await ask(orders, { key: 'token-of-eve' })).toMatchObject({
    'x-ratelimit-remaining': '199',
  })
  expect(await ask(orders, { key: 'token-of-ada' })).toMatchObject({
    'x-caller': ada['x-caller'],
    'x-ratelimit-remaining': '198',
  })

  const rejected = await send(orders, { key: 'made-up' })
  expect(rejected.status).toBe(401)
  expect(await rejected.text()).toBe('{"reason":"unknown token"}')
  expect(await ask(orders, { key: '' })).toMatchObject({ status: 401, code: 'missing_api_key' })

  expect(requestLines.map(({ keyId }) => keyId)).toContain(ada['x-caller'])
  const lines = JSON.stringify([requestLines, logged])
  expect(lines).not.toMatch(/token-of|made-up/)
})

test('usage counts by credential, and only those that the upstream accepts', async () => {
  const { ask, stop, db } = await startShop()
  const ada = await ask(orders, { key: 'token-of-ada' })
  await ask(orders, { key: 'token-of-ada' })
  const eve = await ask(orders, { key: 'token-of-eve' })
  await ask(orders, { key: 'made-up' })
  expect((await ask(orders, { key: 'token-without-scope' })).status).toBe(403)
  await stop()

  const calls = await db.execute('SELECT key_id, operation_id, requests FROM operation_usage')
  expect(calls).toHaveLength(2)
  expect(calls).toEqual(
    expect.arrayContaining([
      { key_id: ada['x-caller'], operation_id: 'listOrders', requests: 2 },
      { key_id: eve['x-caller'], operation_id: 'listOrders', requests: 1 },
    ]),
  )
  expect(await db.execute('SELECT key_id FROM key_usage')).toHaveLength(2)
})

test('credentials in a header, the query, a cookie or HTTP basic are forwarded as they were sent', async () => {
  const securitySchemes = {
    header: { type: 'apiKey', in: 'header', name: 'X-Key' },
    query: { type: 'apiKey', in: 'query', name: 'key' },
    cookie: { type: 'apiKey', in: 'cookie', name: 'session' },
    basic: { type: 'http', scheme: 'basic' },
  }
  const names = Object.keys(securitySchemes)
  const operations = names.map((name) => {
    const responses = { 200: { description: 'Received.' } }
    return [`/${name}`, { get: { security: [{ [name]: [] }], responses } }] as const
  })
  const description = {
    openapi: '3.1.0',
    info: { title: 'A', version: '1.0.0' },
    servers: [{ url: '/' }],
    paths: Object.fromEntries(operations),
    components: { securitySchemes },
  }
  const api = toApi(
    await bundleBesidePlatform(description),
    () => sampled,
    ({ passToUpstream }) => Object.fromEntries(names.map((name) => [name, passToUpstream(name)])),
  )
  const echo: RequestHandler = ({ url, headers }, response) => void response.json({ url, headers })
  const { ask, send } = await startInFrontOf(express().use(echo), {}, api)

  const basic = `Basic ${Buffer.from('ada:secret').toString('base64')}`
  for (const [path, headers] of [
    ['/header', { 'X-Key': 'k-1' }],
    ['/query?key=k-1', {}],
    ['/cookie', { Cookie: 'session=k-1' }],
    ['/basic', { Authorization: basic }],
  ] as const) {
    const lowerCase = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])
    const response = await send(path, { key: '', headers })
    expect(await response.json(), path).toMatchObject({
      url: path,
      headers: Object.fromEntries(lowerCase),
    })
    const withoutAny = path.replace(/\?.*/, '')
    expect(await ask(withoutAny, { key: '' }), withoutAny).toMatchObject({ status: 401 })
  }
  // Blank credentials are none.
  const missing = { status: 401, code: 'missing_api_key' }
  expect(await ask('/query?key=%20', { key: '' })).toMatchObject(missing)
  expect(await ask('/query?key=', { key: '' })).toMatchObject(missing)
})

test('without UPSTREAM_URL no credentials are valid, but the key for development outside production', async () => {
  const { ask, store } = await startServiceOf(passingShop)
  expect(await ask(orders, { key: 'token-of-ada' })).toMatchObject({
    status: 401,
    code: 'invalid_api_key',
  })
  const { key, record } = issueDevelopmentKey(fixturePlans)
  await store.keys.add(record)
  expect(await ask(orders, { key })).toMatchObject({ status: 200 })
})

test('a start is rejected if an operation whose credentials the upstream checks has a handler', async () => {
  const { url } = await serve(express())
  const forward = { UPSTREAM_URL: url }
  const written = () => ({ status: 200, body: [] })
  const createHandlers: Api['createHandlers'] = async (options) => {
    return { ...(await shopApi.createHandlers(options)), listOrders: written, getOrder: written }
  }
  for (const environment of [forward, {}]) {
    const start = startServiceOf({ ...passingShop, createHandlers }, environment)
    await expect(start).rejects.toThrow(
      'Operations with a handler whose credentials nothing checks: listOrders, getOrder.',
    )
  }
  const removing = startServiceOf(passingShop, { ...forward, UPSTREAM_CREDENTIALS: 'remove' })
  await expect(removing).rejects.toThrow(
    'UPSTREAM_CREDENTIALS=remove keeps the credentials of apiKey from the upstream',
  )

  const checked = await startServiceOf({ ...shopApi, createHandlers }, forward)
  expect(checked.unimplemented).not.toContain('listOrders')
})
