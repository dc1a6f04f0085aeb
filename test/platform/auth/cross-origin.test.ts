import { expect, test } from 'vitest'
import { askBytes } from '../../helpers/raw.ts'
import { startServiceOf } from '../../helpers/service.ts'
import { createDescribedApi } from './support/described-api.ts'

const session = [{ session: [] }]
const allowed = 'https://app.example'
const foreign = 'https://evil.example'

/** Starts a service with operations of each method that are secured by a cookie, or by a header. */
async function start(environment: Readonly<Record<string, string>> = {}) {
  const api = await createDescribedApi({
    securitySchemes: {
      session: { type: 'apiKey', in: 'cookie', name: 'session' },
      header: { type: 'apiKey', in: 'header', name: 'X-Key' },
    },
    paths: {
      '/get': session,
      '/query': session,
      '/post': session,
      '/put': session,
      '/patch': session,
      '/delete': session,
      '/either': [...session, { header: [] }],
      '/optional': [...session, {}],
    },
    methods: {
      '/query': 'query',
      '/post': 'post',
      '/put': 'put',
      '/patch': 'patch',
      '/delete': 'delete',
      '/either': 'post',
      '/optional': 'post',
    },
    createAuthenticators: ({ apiKeys }) => ({
      session: apiKeys('session'),
      header: apiKeys('header'),
    }),
  })
  const service = await startServiceOf(api, { CORS_ORIGINS: allowed, ...environment })
  const { ask, apiKey } = service
  const withCookie = (
    path: string,
    headers: Readonly<Record<string, string>> = {},
    method = 'POST',
  ) => ask(`/v1${path}`, { key: '', method, headers: { Cookie: `session=${apiKey}`, ...headers } })
  return { ...service, withCookie }
}

const missing = { status: 401, code: 'missing_api_key' }

test('a cookie in an unsafe request of another origin counts as not sent', async () => {
  const { origin, withCookie } = await start()
  const port = new URL(origin).port
  for (const headers of [
    { 'Sec-Fetch-Site': 'cross-site' },
    { 'Sec-Fetch-Site': 'same-site', Origin: origin },
    { 'Sec-Fetch-Site': 'cross-site', Origin: foreign },
    // Browsers that send no Sec-Fetch-Site.
    { Origin: foreign },
    { Origin: 'null' },
    { Origin: `http://127.0.0.1:${Number(port) + 1}` },
    { Origin: `${allowed}.evil.example` },
  ]) {
    expect(await withCookie('/post', headers), JSON.stringify(headers)).toMatchObject(missing)
  }
  for (const method of ['PUT', 'PATCH', 'DELETE']) {
    const response = await withCookie(`/${method.toLowerCase()}`, { Origin: foreign }, method)
    expect(response, method).toMatchObject(missing)
  }
})

test('a cookie is accepted from pages of the own origin, of CORS_ORIGINS, and from other programs', async () => {
  const { origin, withCookie } = await start()
  for (const headers of [
    {},
    { Origin: origin },
    { 'Sec-Fetch-Site': 'same-origin', Origin: origin },
    { 'Sec-Fetch-Site': 'none' },
    { 'Sec-Fetch-Site': 'cross-site', Origin: allowed },
    { 'Sec-Fetch-Site': 'same-site', Origin: allowed },
    { Origin: allowed },
  ]) {
    expect(await withCookie('/post', headers), JSON.stringify(headers)).toMatchObject({
      status: 200,
    })
  }
})

test('of two fields of Origin or Sec-Fetch-Site, each must be allowed', async () => {
  const { origin, apiKey } = await start()
  const askWith = (name: string, values: readonly string[]) => {
    const fields = values.map((each) => `${name}: ${each}\r\n`).join('')
    const usual = `Host: a\r\nCookie: session=${apiKey}\r\nContent-Length: 0\r\nConnection: close\r\n`
    return askBytes(origin, `POST /v1/post HTTP/1.1\r\n${usual}${fields}\r\n`)
  }
  const askFrom = (...origins: readonly string[]) => askWith('Origin', origins)
  expect(await askFrom(allowed, allowed)).toMatchObject({ status: 200 })
  expect(await askFrom(allowed, foreign)).toMatchObject(missing)
  expect(await askFrom(foreign, allowed)).toMatchObject(missing)

  const site = 'Sec-Fetch-Site'
  expect(await askWith(site, ['same-origin', 'none'])).toMatchObject({ status: 200 })
  expect(await askWith(site, ['same-origin', 'cross-site'])).toMatchObject(missing)
  expect(await askWith(site, ['cross-site', 'none'])).toMatchObject(missing)
})

test('a cookie is accepted from other origins in safe requests, as in a link that a visitor follows', async () => {
  const { withCookie } = await start()
  const headers = { 'Sec-Fetch-Site': 'cross-site', Origin: foreign }
  for (const method of ['GET', 'HEAD']) {
    expect(await withCookie('/get', headers, method), method).toMatchObject({ status: 200 })
  }
  expect(await withCookie('/query', headers, 'QUERY')).toMatchObject({ status: 200 })
})

test('behind a proxy, the own host is the one that the proxy was asked for', async () => {
  const { withCookie } = await start({ TRUST_PROXY: '1' })
  const own = { Origin: 'https://api.example' }
  const forwarded = { ...own, 'X-Forwarded-Host': 'API.example:443' }
  expect(await withCookie('/post', forwarded)).toMatchObject({ status: 200 })
  expect(await withCookie('/post', own)).toMatchObject(missing)

  const direct = await start()
  expect(await direct.withCookie('/post', forwarded)).toMatchObject(missing)
})

test('credentials in a header do not depend on the origin, and an ignored cookie leaves others', async () => {
  const { apiKey, withCookie } = await start()
  const from = { 'Sec-Fetch-Site': 'cross-site', Origin: foreign }
  expect(await withCookie('/either', { ...from, 'X-Key': apiKey })).toMatchObject({ status: 200 })
  expect(await withCookie('/either', from)).toMatchObject(missing)
  expect(await withCookie('/optional', from)).toMatchObject({ status: 200, callerId: null })
})
