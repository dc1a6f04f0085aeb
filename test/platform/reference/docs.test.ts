import { expect, test } from 'vitest'
import description from '../../fixture-api/generated/openapi.json' with { type: 'json' }
import { startFixtureService } from '../../helpers/fixture-service.ts'
import type { TestService } from '../../helpers/service.ts'
import { startReferenceService } from './support/reference-service.ts'

const anonymous = { key: '' }

async function policyOf({ send }: TestService, path: string): Promise<readonly string[]> {
  const response = await send(path, anonymous)
  expect(response.status).toBe(200)
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-cache',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
  })
  const policy = response.headers.get('content-security-policy')?.split('; ') ?? []
  expect(policy).toEqual(expect.arrayContaining(["default-src 'none'", "frame-ancestors 'none'"]))
  expect(policy.join(' ')).not.toMatch(/https?:|\*|unsafe-(eval|hashes)/)
  return policy
}

test('/docs and /docs/try have content security policies that allow no other host', async () => {
  const service = await startReferenceService()
  const policy = await policyOf(service, '/docs')
  expect(policy).toContainEqual(expect.stringMatching(/^script-src( 'sha256-[\w+/=]+')+$/))
  expect(policy.some((directive) => directive.startsWith('connect-src'))).toBe(false)
  const forCalls = await policyOf(service, '/docs/try')
  expect(forCalls).toContain("script-src 'self'")
  expect(forCalls).toContain("connect-src 'self'")
  expect(forCalls.join(' ')).not.toContain('unsafe')
  const posted = await service.send('/docs', { method: 'POST', ...anonymous })
  expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS'])
})

test('/docs says what to run where its page was not built from the description', async () => {
  const { send } = await startFixtureService()
  const response = await send('/docs', anonymous)
  expect(response.status).toBe(404)
  const text = await response.text()
  expect(text).toContain('npm run reference')
  expect(text).toContain('docs/try')

  const edited = { ...description, info: { ...description.info, title: 'Edited' } }
  const { send: sendToStale } = await startReferenceService(description, edited)
  expect((await sendToStale('/docs', anonymous)).status).toBe(404)
})

test('/ leads to /docs with a redirect that caches check, in response to GET and HEAD', async () => {
  const { send } = await startReferenceService()
  const manual = { ...anonymous, redirect: 'manual' } as const
  for (const [method, text] of [
    ['GET', 'The reference is at /docs\n'],
    ['HEAD', ''],
  ] as const) {
    const response = await send('/', { ...manual, method })
    expect([response.status, await response.text()], method).toEqual([302, text])
    expect(Object.fromEntries(response.headers), method).toMatchObject({
      location: '/docs',
      'cache-control': 'no-cache',
      'x-content-type-options': 'nosniff',
    })
  }
  const page = await send('/?from=mail', anonymous)
  expect([page.status, new URL(page.url).pathname]).toEqual([200, '/docs'])
  const posted = await send('/', { ...manual, method: 'POST' })
  expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS'])
})

test('only the files that /docs/try loads are served', async () => {
  const service = await startFixtureService()
  const page = await (await service.send('/docs/try', anonymous)).text()
  const paths = [...page.matchAll(/(?:href|src)="(try\/[^"]+)"/g)].map(
    ([, path]) => `/docs/${path}`,
  )
  expect(paths).toHaveLength(3)
  for (const path of paths) {
    const response = await service.send(path, anonymous)
    expect(response.status, path).toBe(200)
    expect(response.headers.get('content-type')).toMatch(/^text\/(css|javascript)/)
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
    const caching = /\d\.\d/.test(path) ? 'public, max-age=31536000, immutable' : 'no-cache'
    expect(response.headers.get('cache-control'), path).toBe(caching)
  }
  for (const path of ['/docs/', '/docs/docs.ts', `${paths[0]}.map`]) {
    expect((await service.send(path, anonymous)).status, path).toBe(404)
  }
})
