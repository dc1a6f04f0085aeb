import { expect, test } from 'vitest'
import { exchangeBytes } from '../support/raw.ts'
import { shareLoop } from './support/shared-loop.ts'

const { loop } = shareLoop()

test.for([
  ['/studio', 'text/html; charset=utf-8'],
  ['/studio/', 'text/html; charset=utf-8'],
  ['/studio/studio.css', 'text/css; charset=utf-8'],
  ['/studio/studio.js', 'text/javascript; charset=utf-8'],
] as const)('%s is served as %s under a strict policy', async ([path, type]) => {
  const response = await fetch(loop().origin + path)
  expect(response.status).toBe(200)
  expect(response.headers.get('Content-Type')).toBe(type)
  expect(response.headers.get('X-Content-Type-Options')).toBe('nosniff')
  const policy = response.headers.get('Content-Security-Policy') ?? ''
  expect(policy).toMatch(/^default-src 'none'; script-src 'self';/)
  expect(policy).not.toMatch(/unsafe|\*|https?:/)
  expect(await response.text()).not.toBe('')
})

test.for(['base.css', 'colours.css'])('%s is the one of the reference', async (name) => {
  const read = async (path: string) => (await fetch(new URL(path, loop().origin))).text()
  const [, ofReference = ''] =
    new RegExp(`href="(docs/[^"]+/${name})"`).exec(await read('/docs')) ?? []
  expect(await read('/studio')).toContain(`href="/studio/${name}"`)
  expect(await read(`/studio/${name}`)).toBe(await read(ofReference))
})

test.for(['/studio/none.js', '/studio/..%2floop.ts', '/studio/.hidden', '/studio/loop.ts'])(
  '%s is not there',
  async (path) => {
    expect((await fetch(loop().origin + path)).status).toBe(404)
  },
)

test('the designer’s page is read only', async () => {
  const response = await fetch(`${loop().origin}/studio`, { method: 'POST' })
  expect([response.status, response.headers.get('Allow')]).toEqual([405, 'GET, HEAD'])
})

test('the events begin with the whole state', async () => {
  const state = await loop().until(() => true)
  expect(state).toMatchObject({ service: loop().origin, lint: [], code: [] })
  expect(state.operations.length).toBeGreaterThan(0)
})

test.for([
  ['two hosts', 'GET /v1/pets HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n', 400],
  ['no HTTP', 'HELLO\r\n\r\n', 400],
  [
    'two lengths',
    'POST /v1/pets HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
    400,
  ],
] as const)('%s is refused by the service itself', async ([, bytes, status]) => {
  const { text: answer } = await exchangeBytes(loop().origin, bytes)
  expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
  expect(answer).toContain('"code":"bad_request_framing"')
})

test('what the service answers comes through as it is', async () => {
  const { origin, apiKey, send } = loop()
  const head = await send('/v1/pets', { method: 'HEAD' })
  expect([head.status, await head.text()]).toEqual([200, ''])
  const missing = await fetch(`${origin}/v1/pets`)
  expect(missing.headers.get('WWW-Authenticate')).toBe('Bearer')
  const { text: added } = await exchangeBytes(
    origin,
    `POST /v1/pets HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${apiKey}\r\nConnection: close\r\n` +
      'Expect: 100-continue\r\nContent-Type: application/json\r\nContent-Length: 29\r\n\r\n' +
      '{"name":"Rex","categoryId":7}',
  )
  expect(added).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 201 Created\r\n/)
})
