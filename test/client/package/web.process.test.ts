import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { extname, join } from 'node:path'
import { createContext, runInContext } from 'node:vm'
import { rolldown } from 'rolldown'
import { expect, onTestFinished, type TestContext, test } from 'vitest'
import { startTestService } from '../../helpers/service.ts'
import { destination } from './support/checks.ts'
import { openPage } from './support/chromium.ts'
import { createConsumer, readModule } from './support/installed-package.ts'
import { readSnippets } from './support/readme.ts'

async function createPage(files: Readonly<Record<string, string>> = {}): Promise<string> {
  const [page, journey] = await Promise.all([readModule('page.ts'), readModule('journey.ts')])
  return createConsumer({ 'page.js': page, 'journey.js': journey, ...files })
}

/** Bundles `consumer/page.ts` into one script that defines `page`. */
async function bundlePage(): Promise<string> {
  const folder = await createPage()
  const input = join(folder, 'page.js')
  const bundle = await rolldown({ input, cwd: folder, platform: 'browser' })
  const { output } = await bundle.generate({ format: 'iife', name: 'page', minify: true })
  await bundle.close()
  return output[0].code
}

/** Serves the files of a folder until the test ends; returns the origin. */
async function serveFiles(folder: string): Promise<string> {
  const types = new Map([['.html', 'text/html; charset=utf-8']])
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://127.0.0.1')
    const type = types.get(extname(pathname)) ?? 'text/javascript; charset=utf-8'
    readFile(join(folder, pathname)).then(
      (content) => response.writeHead(200, { 'Content-Type': type }).end(content),
      () => response.writeHead(404).end(),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close().closeAllConnections())
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('The server has no port.')
  return `http://127.0.0.1:${address.port}`
}

const bundled = '<!doctype html><script src="/bundle.js"></script>'
const unbundled = `<!doctype html>
<script type="importmap">
  { "imports": {
    "animal-store-client": "/node_modules/animal-store-client/index.js",
    "openapi-fetch": "/node_modules/openapi-fetch/dist/index.mjs"
  } }
</script>
<script type="module">
  import * as page from './page.js'
  globalThis.page = page
</script>`

/** Opens a page in a browser, beside a service that allows some origins. */
async function visit(context: TestContext, html: string, allow = (own: string): string => own) {
  const page = await openPage(context)
  const folder = await createPage({ 'index.html': html, 'bundle.js': await bundlePage() })
  const own = await serveFiles(folder)
  const { baseUrl, apiKey } = await startTestService({ CORS_ORIGINS: allow(own) })
  await page.goto(`${own}/index.html`)
  const to = JSON.stringify({ baseUrl, apiKey })
  return (name: 'travel' | 'fail'): Promise<unknown> => page.evaluate(`page.${name}(${to})`)
}

test('a bundle works in a page of an allowed origin', async (context) => {
  const call = await visit(context, bundled)
  expect(await call('travel')).toEqual(destination)
})

test('the modules work unbundled with an import map', async (context) => {
  const call = await visit(context, unbundled)
  expect(await call('travel')).toEqual(destination)
})

test('a page of another origin gets a network_error', async (context) => {
  const call = await visit(context, bundled, () => 'https://app.example')
  expect(await call('fail')).toBe('network_error')
})

test('the page of the README shows the number of pets', async (context) => {
  const page = await openPage(context)
  const html = `<!doctype html>${readSnippets('html').get('Browsers')}`
  const origin = await serveFiles(await createConsumer({ 'page.html': html }))
  const { baseUrl, apiKey, client } = await startTestService({ CORS_ORIGINS: origin })
  await client.createPet({ name: 'Bo', categoryId: 1 })
  const kept = JSON.stringify({ baseUrl, apiKey })
  await page.addInitScript(`Object.assign(sessionStorage, ${kept})`)
  await page.goto(`${origin}/page.html`)
  await page.waitForFunction('document.title !== ""')
  expect(await page.title()).toBe('1 animals')
})

// The globals of edge runtimes (https://min-common-api.proposal.wintertc.org) that matter here.
const globalNames = [
  ...['AbortController', 'AbortSignal', 'DOMException', 'Event', 'EventTarget'],
  ...['Blob', 'FormData', 'Headers', 'ReadableStream', 'Request', 'Response', 'fetch'],
  ...['TextDecoder', 'TextEncoder', 'URL', 'URLSearchParams', 'console', 'crypto', 'performance'],
  ...['clearTimeout', 'queueMicrotask', 'setTimeout', 'structuredClone'],
] as const

test('it works with web globals alone, and evaluates no code', async () => {
  const { baseUrl, apiKey } = await startTestService()
  const globals = Object.fromEntries(globalNames.map((name) => [name, globalThis[name]]))
  const context = createContext(globals, { codeGeneration: { strings: false, wasm: false } })
  const absent = runInContext('[typeof process, typeof Buffer, typeof require].join()', context)
  expect(absent).toBe('undefined,undefined,undefined')
  const run = `${await bundlePage()}; page.travel(${JSON.stringify({ baseUrl, apiKey })})`
  const arrived: unknown = await runInContext(run, context)
  // Objects of the context have another prototype.
  expect(structuredClone(arrived)).toEqual(destination)
})
