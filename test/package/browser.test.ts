import { expect, type TestContext, test } from 'vitest'
import { startTestService } from '../support/service.ts'
import { openPage } from './support/chromium.ts'
import { destination } from './support/destination.ts'
import { serveFiles } from './support/file-server.ts'
import { bundlePage, createPage } from './support/page-bundle.ts'

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

/** Opens a page in a browser, beside a service that lets in the origins that are told. */
async function visit(context: TestContext, html: string, origins = (own: string): string => own) {
  const page = await openPage(context)
  const folder = await createPage({ 'index.html': html, 'bundle.js': await bundlePage() })
  const own = await serveFiles(folder)
  const { baseUrl, apiKey } = await startTestService({ CORS_ORIGINS: origins(own) })
  await page.goto(`${own}/index.html`)
  const to = JSON.stringify({ baseUrl, apiKey })
  return (name: 'travel' | 'fail'): Promise<unknown> => page.evaluate(`page.${name}(${to})`)
}

test('a bundle does all that it can from a page of an allowed origin', async (context) => {
  const call = await visit(context, bundled)
  expect(await call('travel')).toEqual(destination)
})

test('so do its modules as they are, with an import map', async (context) => {
  const call = await visit(context, unbundled)
  expect(await call('travel')).toEqual(destination)
})

test('a page of another origin gets a network_error', async (context) => {
  const call = await visit(context, bundled, () => 'https://app.example')
  expect(await call('fail')).toBe('network_error')
})
