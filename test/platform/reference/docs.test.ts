import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { buildCodeSamples } from '../../../scripts/pipeline/reference.ts'
import { createDocsPages } from '../../../server/docs/docs.ts'
import { describeForPage } from '../../../server/docs/page-description.ts'
import type { Page } from '../../../server/http/routes.ts'
import { fixtureApi } from '../../fixture-api/fixture-api.ts'
import description from '../../fixture-api/generated/openapi.json' with { type: 'json' }
import { fixtureWith, startFixtureService } from '../../helpers/fixture-service.ts'
import { startTestService, type TestService } from '../../helpers/service.ts'
import { createTemporaryFolder } from '../../helpers/temporary-folder.ts'
import type { UncheckedJson } from '../../helpers/unchecked-json.ts'
import { startReferenceService } from './support/reference-service.ts'

const anonymous = { key: '' }

/** Returns the description in the page. */
function readEmbedded(page: string): unknown {
  const [, embedded = ''] = /<script id="description"[^>]*>(.*)<\/script>/.exec(page) ?? []
  return JSON.parse(embedded)
}

interface RawResponse {
  readonly status: number | undefined
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

/** Sends a request whose response is not decompressed. */
async function sendRaw(
  url: string,
  headers: Readonly<Record<string, string>>,
  method = 'GET',
): Promise<RawResponse> {
  const sent = request(url, { method, headers }).end()
  const [response]: IncomingMessage[] = await once(sent, 'response')
  if (response === undefined) {
    throw new Error('no response')
  }
  const body = Buffer.concat(await response.toArray())
  return { status: response.statusCode, headers: response.headers, body }
}

test('/docs has a content security policy that allows no other host, and no script in the page', async () => {
  const service = await startReferenceService()
  const response = await service.send('/docs', anonymous)
  expect(response.status).toBe(200)
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-cache',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
  })
  const policy = response.headers.get('content-security-policy')?.split('; ') ?? []
  expect(policy).toEqual([
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'unsafe-inline'",
    'img-src data:',
    'font-src data:',
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ])
  const posted = await service.send('/docs', { method: 'POST', ...anonymous })
  expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS'])
})

test('/docs is named by the description, and escapes what it says', async () => {
  const info = { ...description.info, title: 'A & "B" </title></script>' }
  const { send } = await startReferenceService({ ...description, info })
  const page = await (await send('/docs', anonymous)).text()
  expect(page).toContain('<title>A &amp; &quot;B&quot; &lt;/title>&lt;/script></title>')
  expect(readEmbedded(page)).toMatchObject({ info: { title: info.title } })
})

const documents = {
  '/docs': 'text/html; charset=utf-8',
  '/docs/page.js': 'text/javascript; charset=utf-8',
  '/docs/scalar.js': 'text/javascript; charset=utf-8',
  '/docs/index.md': 'text/markdown; charset=utf-8',
  '/llms.txt': 'text/plain; charset=utf-8',
  '/openapi.json': 'application/json',
  '/openapi.yaml': 'application/yaml',
} as const

test.each(Object.entries(documents))(
  '%s is sent in the coding that the client accepts, with an ETag and Vary',
  async (path, mediaType) => {
    const { origin } = await startReferenceService()
    const read = async (coding: string) => {
      const response = await sendRaw(origin + path, { 'accept-encoding': coding })
      expect(response.headers['content-type'], coding).toBe(mediaType)
      expect(response.headers.vary, coding).toBe('Accept-Encoding')
      return response
    }

    const identity = await read('identity')
    const zipped = await read('gzip')
    const brotli = await read('gzip, deflate, br')
    expect(identity.headers['content-encoding']).toBeUndefined()
    expect(zipped.headers['content-encoding']).toBe('gzip')
    expect(brotli.headers['content-encoding']).toBe('br')
    expect(gunzipSync(zipped.body).equals(identity.body)).toBe(true)
    expect(brotliDecompressSync(brotli.body).equals(identity.body)).toBe(true)
    expect(brotli.body.length).toBeLessThan(identity.body.length)
    expect((await read('br;q=0, gzip')).headers['content-encoding']).toBe('gzip')
    const tags = [identity, zipped, brotli].map(({ headers }) => headers.etag)
    expect(new Set(tags).size).toBe(3)
  },
)

test.each(Object.keys(documents))(
  '%s is 304 without content for a client that has it, in response to GET and HEAD',
  async (path) => {
    const { origin } = await startReferenceService()
    const first = await sendRaw(origin + path, { 'accept-encoding': 'br' })
    const { etag = '' } = first.headers
    for (const [tag, status] of [
      [etag, 304],
      [`W/${etag}`, 304],
      [`"other", ${etag}`, 304],
      ['"other"', 200],
    ] as const) {
      const headers = { 'accept-encoding': 'br', 'if-none-match': tag }
      for (const method of ['GET', 'HEAD']) {
        const response = await sendRaw(origin + path, headers, method)
        expect([response.status, response.headers.etag], `${method} ${tag}`).toEqual([status, etag])
        if (status === 304 || method === 'HEAD') {
          expect(response.body.length, method).toBe(0)
        }
      }
    }
    // The content in another coding is other content.
    const other = { 'accept-encoding': 'gzip', 'if-none-match': etag }
    expect((await sendRaw(origin + path, other)).status).toBe(200)
  },
)

test('a page varies by Origin, too, where CORS allows some', async () => {
  const environment = { CORS_ORIGINS: 'https://shop.example' }
  const { origin } = await startReferenceService(undefined, undefined, environment)
  const { headers } = await sendRaw(`${origin}/openapi.json`, {})
  expect(headers.vary).toBe('Origin, Accept-Encoding')
})

test('without code samples of the description that is served, /docs shows it without samples', async () => {
  const samplesOf = async ({ send }: TestService) => {
    const response = await send('/docs', anonymous)
    expect(response.status).toBe(200)
    const page = await response.text()
    expect(page).toContain('List tools')
    return page.match(/client\.listTools\(/g)?.length ?? 0
  }
  expect(await samplesOf(await startReferenceService())).toBeGreaterThan(0)
  expect(await samplesOf(await startFixtureService())).toBe(0)
  const edited = { ...description, info: { ...description.info, title: 'Edited' } }
  expect(await samplesOf(await startReferenceService(description, edited))).toBe(0)
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

test('/docs/ leads to /docs, whose relative links begin there', async () => {
  const { send } = await startReferenceService()
  const redirect = await send('/docs/', { ...anonymous, redirect: 'manual' })
  expect([redirect.status, redirect.headers.get('location')]).toEqual([302, '/docs'])
  const page = await send('/docs/', anonymous)
  expect([page.status, new URL(page.url).pathname]).toEqual([200, '/docs'])
})

test('/docs says until when parameters and fields work, and sends calls to no other server', async () => {
  const deprecated = { deprecated: true, 'x-sunset': '2031-01-31' }
  const api = fixtureWith({
    edit({ components, paths }) {
      Object.assign(components.parameters.Weight, deprecated)
      Object.assign(components.schemas.ToolChanges.properties.note, deprecated)
      paths['/tools'].servers = [{ url: '/lending/v2' }]
    },
  })
  const { send } = await startTestService({}, undefined, {}, api)
  const page = await (await send('/docs', anonymous)).text()
  const { components, paths, info }: UncheckedJson = readEmbedded(page)
  const notice = /^\*\*Deprecated\.\*\* It will be removed on \*\*31 January 2031\*\*\.\n\n/
  expect(components.parameters.Weight.description).toMatch(notice)
  expect(components.schemas.ToolChanges.properties.note.description).toMatch(notice)
  expect(paths['/tools']).not.toHaveProperty('servers')
  expect(info.description).toContain('- `https://api.tool-library.example/lending/v2`: Production')
  // An idempotency key is for the reader to choose.
  expect(components.parameters.IdempotencyKey).not.toHaveProperty('example')
  expect(components.parameters.Limit).toHaveProperty('example')
})

test('/docs asks for the token of an identity provider, whose forms it may not open', () => {
  const flows = { clientCredentials: { tokenUrl: 'https://login.example/token', scopes: {} } }
  const edited = structuredClone(description)
  Object.assign(edited.components.securitySchemes, { login: { type: 'oauth2', flows } })
  const shown: UncheckedJson = describeForPage(edited, undefined)
  const { login, apiKey } = shown.components.securitySchemes
  expect(login).toEqual({ type: 'http', scheme: 'bearer' })
  expect(apiKey).toEqual(description.components.securitySchemes.apiKey)
})

test('a description of OpenAPI 3.0 with excluded limits and null without a type has code samples, and a page with valid forms', async () => {
  const price = { type: 'number', minimum: 0, exclusiveMinimum: true }
  const schema = {
    type: 'object',
    required: ['price'],
    properties: { price, note: { nullable: true } },
  }
  const content = {
    'application/json': { schema },
    'application/x-www-form-urlencoded': { schema },
  }
  const post = {
    operationId: 'addOffer',
    requestBody: { required: true, content },
    responses: { 204: { description: 'Added.' } },
  }
  const former = { openapi: '3.0.3', info: description.info, paths: { '/offers': { post } } }

  const folder = createTemporaryFolder()
  await writeFile(join(folder, 'openapi.json'), JSON.stringify(former))
  await buildCodeSamples(folder)
  const file = await readFile(join(folder, 'reference/code-samples.json'), 'utf8')
  const { samples }: UncheckedJson = JSON.parse(file)
  expect(JSON.stringify(samples.addOffer)).toMatch(/price.{1,6}[1-9]/)

  const shown: UncheckedJson = describeForPage(former, samples)
  const form = shown.paths['/offers'].post.requestBody.content['application/x-www-form-urlencoded']
  expect(form.examples.example.value.price).toBeGreaterThan(0)
})

test('only the files that /docs loads are served below it', async () => {
  const { send } = await startFixtureService()
  for (const path of ['/docs/docs.ts', '/docs/scalar.js.map', '/docs/try', '/docs/index']) {
    expect((await send(path, anonymous)).status, path).toBe(404)
  }
})

test('a page whose creation fails is created again for the next request', async () => {
  let failures = 1
  const info = {
    get title() {
      if (failures > 0) {
        failures--
        throw new Error('too many open files')
      }
      return 'Tools'
    },
  }
  const pages = createDocsPages(fixtureApi, { info }, { hasTools: false })
  const createPage = pages['/openapi.yaml'] as Page
  await expect(createPage()).rejects.toThrow('too many open files')
  expect(await createPage()).toMatchObject({ status: 200 })
})
