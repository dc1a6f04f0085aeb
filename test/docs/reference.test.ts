import { execFile } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import clientManifest from '../../client/package.json' with { type: 'json' }
import { operations } from '../../generated/operations.ts'
import { project } from '../pipeline/support/workspace.ts'
import { exchangeBytes } from '../support/raw.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { createTemporaryFolder } from '../support/temporary-folder.ts'

const run = promisify(execFile)

/** What the page loads, as paths under the origin. */
async function assetsOf({ send }: TestService): Promise<string[]> {
  const page = await (await send('/docs', { headers: {} })).text()
  return [...page.matchAll(/(?:href|src)="(docs\/[^"]+)"/g)].map(([, path]) => `/${path}`)
}

test('the reference is served under a policy that lets in nothing of others, and nothing inline', async () => {
  const { send } = await startTestService()
  const response = await send('/docs', { headers: {} })
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(response.headers.get('cache-control')).toBe('no-cache')
  expect(response.headers.get('x-content-type-options')).toBe('nosniff')
  expect(response.headers.get('referrer-policy')).toBe('no-referrer')
  const policy = response.headers.get('content-security-policy')?.split('; ')
  expect(policy).toContain("default-src 'none'")
  expect(policy).toContain("frame-ancestors 'self'")
  expect(policy?.join(' ')).not.toMatch(/unsafe|https?:|\*|data:|blob:/)
  const text = await response.text()
  expect(text).not.toMatch(/<style|style="|<script>| on[a-z]+="/)
  const head = await send('/docs', { method: 'HEAD', headers: {} })
  expect(head.headers.get('content-length')).toBe(String(Buffer.byteLength(text)))
  expect(await head.text()).toBe('')
})

test('what the page loads may be kept for ever, because its path has a digest of it', async () => {
  const service = await startTestService()
  const paths = await assetsOf(service)
  const served = readdirSync(join(project, 'server/docs/assets'))
  expect(paths.map((path) => path.split('/').at(-1)).sort()).toEqual(served.sort())
  for (const path of paths) {
    const response = await service.send(path, { headers: {} })
    expect(response.status, path).toBe(200)
    expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(response.headers.get('content-type')).toMatch(/^(text\/(css|javascript)|image\/svg)/)
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
    const head = await service.send(path, { method: 'HEAD', headers: {} })
    expect(head.headers.get('content-length')).toBe(String((await response.bytes()).length))
  }
})

test.each([
  '/docs/',
  '/docs/docs.js',
  '/docs/DIGEST/',
  '/docs/DIGEST/../docs-pages.ts',
  '/docs/DIGEST/..%2fdocs-pages.ts',
  '/docs/DIGEST/..\\docs-pages.ts',
  '/docs/DIGEST/docs-pages.ts',
  '/docs/DIGEST/docs.js/',
  '/docs/DIGEST//docs.js',
  '/docs/DIGEST/constructor',
  '/docs/../package.json',
])('nothing else is served: %s', async (path) => {
  const service = await startTestService()
  const [asset = ''] = await assetsOf(service)
  const target = path.replace('DIGEST', asset.split('/')[2] ?? '')
  const head = `GET ${target} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`
  expect((await exchangeBytes(service.origin, head)).status).toBe(404)
})

test('the reference takes no other method, and no key', async () => {
  const { send } = await startTestService()
  const posted = await send('/docs', { method: 'POST', headers: {} })
  expect(posted.status).toBe(405)
  expect(posted.headers.get('allow')).toBe('GET, HEAD, OPTIONS')
})

test.each(Object.keys(operations))('the samples of %s do what they say', async (operationId) => {
  const { send, apiKey, client, origin } = await startTestService()
  await client.createPet({ name: 'Rex', categoryId: 7, status: 'available' })
  const page = await (await send('/docs', { headers: {} })).text()
  const section = page.slice(page.indexOf(`<section class="operation" id="${operationId}"`))
  const sampleOf = (name: string): string => {
    const [, text = ''] = new RegExp(`data-sample="${name}">(.*?)</code>`, 's').exec(section) ?? []
    const plain = text.replaceAll('&#39;', "'").replaceAll('&quot;', '"').replaceAll('&gt;', '>')
    return plain.replace(/https:\/\/[^/]+/, origin).replaceAll('&amp;', '&')
  }
  const environment = { PATH: process.env['PATH'], KEY: apiKey }

  const sample = sampleOf('client')
  expect(sample).toContain(`from '${clientManifest.name}'`)
  const entry = new URL('../../client/index.ts', import.meta.url).href
  const file = join(createTemporaryFolder(), 'sample.ts')
  writeFileSync(file, sample.replace(clientManifest.name, entry))
  const { stdout } = await run(process.execPath, [file], { env: environment })
  expect(stdout).toMatch(/name: 'Rex'/)

  const shell = await run('sh', ['-euc', sampleOf('curl').replace('curl ', 'curl -fsS ')], {
    env: environment,
  })
  expect(shell.stdout).toContain('"name":"Rex"')
})

test('the code that makes the reference names nothing of the description', () => {
  const folder = join(project, 'server/docs')
  const names = [...Object.keys(operations), '/pets', 'animal']
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const text = readFileSync(join(entry.parentPath, entry.name), 'utf8')
    expect(
      names.filter((name) => text.includes(name)),
      entry.name,
    ).toEqual([])
  }
})
