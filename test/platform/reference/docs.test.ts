import { expect, test } from 'vitest'
import { fixtureApi } from '../../fixture-api/fixture-api.ts'
import description from '../../fixture-api/generated/openapi.json' with { type: 'json' }
import { startFixtureService } from '../../helpers/fixture-service.ts'
import { exchangeBytes } from '../../helpers/raw.ts'
import type { TestService } from '../../helpers/service.ts'

const anonymous = { headers: {} }

/** Returns the paths of the scripts, styles and images that the page loads. */
async function assetsOf({ send }: TestService): Promise<string[]> {
  const page = await (await send('/docs', anonymous)).text()
  return [...page.matchAll(/(?:href|src)="(docs\/[^"]+)"/g)].map(([, path]) => `/${path}`)
}

test('GET /docs has a content security policy that allows no other host and no inline script', async () => {
  const { send } = await startFixtureService()
  const response = await send('/docs', anonymous)
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(response.headers.get('cache-control')).toBe('no-cache')
  expect(response.headers.get('x-content-type-options')).toBe('nosniff')
  expect(response.headers.get('referrer-policy')).toBe('no-referrer')
  const policy = response.headers.get('content-security-policy')?.split('; ') ?? []
  expect(policy).toContain("default-src 'none'")
  expect(policy).toContain("frame-ancestors 'self'")
  expect(policy.join(' ')).not.toMatch(/unsafe|https?:|\*|data:|blob:/)
  const text = await response.text()
  expect(text).not.toMatch(/<style|style="|<script>| on[a-z]+="/)
  const posted = await send('/docs', { method: 'POST', headers: {} })
  expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS'])
  const head = await send('/docs', { method: 'HEAD', headers: {} })
  expect(head.headers.get('content-length')).toBe(String(Buffer.byteLength(text)))
  expect(await head.text()).toBe('')
})

test('GET /docs contains every operation and nothing of another API', async () => {
  const { send } = await startFixtureService()
  const page = await (await send('/docs', anonymous)).text()
  for (const { operationId, path } of Object.values(fixtureApi.operations)) {
    expect(page).toContain(operationId)
    expect(page).toContain(path)
  }
  expect(page).toContain(description.info.title)
  // The client has the name of the project in its own.
  const rest = page.replaceAll(/animal-store-client|createAnimalStore/g, '')
  expect(rest).not.toMatch(/\bpets?\b|animal/i)
})

test('the assets of /docs may be cached forever: their path changes with their content', async () => {
  const service = await startFixtureService()
  const paths = await assetsOf(service)
  expect(paths.length).toBeGreaterThan(1)
  for (const path of paths) {
    const response = await service.send(path, anonymous)
    expect(response.status, path).toBe(200)
    expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(response.headers.get('content-type')).toMatch(/^(text\/(css|javascript)|image\/svg)/)
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
    const head = await service.send(path, { method: 'HEAD', headers: {} })
    expect(head.headers.get('content-length')).toBe(String((await response.bytes()).length))
  }
})

test('only the assets of /docs are served', async () => {
  const service = await startFixtureService()
  const [asset = ''] = await assetsOf(service)
  const folder = asset.slice(0, asset.lastIndexOf('/'))
  const statusOf = async (target: string): Promise<[string, number]> => {
    const head = `GET ${target} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`
    return [target, (await exchangeBytes(service.origin, head)).status]
  }
  expect(await statusOf(asset)).toEqual([asset, 200])
  for (const path of [
    '/docs/',
    '/docs/docs.js',
    `${folder}/`,
    `${folder}/../docs-pages.ts`,
    `${folder}/..%2fdocs-pages.ts`,
    `${folder}/..\\docs-pages.ts`,
    `${folder}/docs-pages.ts`,
    `${asset}/`,
    asset.replace(/\/([^/]+)$/, '//$1'),
    `${folder}/constructor`,
    '/docs/../package.json',
  ]) {
    expect(await statusOf(path)).toEqual([path, 404])
  }
})
