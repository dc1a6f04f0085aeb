import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { extname, join } from 'node:path'
import { createContext, runInContext } from 'node:vm'
import type { Browser, Page } from 'playwright-core'
import { rolldown } from 'rolldown'
import { afterAll, expect, onTestFinished, type TestContext, test } from 'vitest'
import { startTestService } from '../../helpers/service.ts'
import { destination, readJourney } from './support/checks.ts'
import { launchChromium } from './support/chromium.ts'
import { createConsumer } from './support/package.ts'
import { readSnippets } from './support/readme.ts'

// One browser for all tests.
let browser: Browser | undefined
afterAll(() => browser?.close())

async function openPage(context: TestContext): Promise<Page> {
  browser ??= await launchChromium(context)
  const page = await browser.newPage()
  onTestFinished(() => page.close())
  return page
}

const program = `
import * as client from 'animal-store-client'
import { journey } from './journey.js'

export const travel = (to) => journey(client, to)
export const fail = (to) => client.createAnimalStore({ ...to, maxRetries: 0 }).listPets().catch(
  (error) => error instanceof client.AnimalStoreError ? error.code : String(error))`

const bundled = '<!doctype html><script src="/bundle.js"></script>'
/** Bundles the program into one script that defines `page`, in a folder with pages that use it. */
async function createPages() {
  const folder = await createConsumer({
    ...{ 'bundled.html': bundled, 'page.js': program, 'journey.js': await readJourney() },
    'readme.html': `<!doctype html>${readSnippets('html').get('Browsers')}`,
  })
  const input = join(folder, 'page.js')
  const bundle = await rolldown({ input, cwd: folder, platform: 'browser' })
  const file = join(folder, 'bundle.js')
  const { output } = await bundle.write({ file, format: 'iife', name: 'page', minify: true })
  await bundle.close()
  return { folder, code: output[0].code }
}

let pages: ReturnType<typeof createPages> | undefined
const findPages = () => {
  pages ??= createPages()
  return pages
}

/** Serves the pages until the test ends; returns the origin. */
async function servePages(): Promise<string> {
  const { folder } = await findPages()
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://127.0.0.1')
    const type = extname(pathname) === '.html' ? 'text/html' : 'text/javascript'
    readFile(join(folder, pathname)).then(
      (content) => {
        response.writeHead(200, { 'Content-Type': `${type}; charset=utf-8` }).end(content)
      },
      () => response.writeHead(404).end(),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close().closeAllConnections())
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('The server has no port.')
  return `http://127.0.0.1:${address.port}`
}

test.for([
  ['works in a page of an allowed origin', 'travel', destination],
  ['gets a network_error in a page of another origin', 'fail', 'network_error'],
] as const)('a bundle %s', async ([, call, expected], context) => {
  const page = await openPage(context)
  const origin = await servePages()
  const allowed = call === 'fail' ? 'https://app.example' : origin
  const { baseUrl, apiKey } = await startTestService({ CORS_ORIGINS: allowed })
  await page.goto(`${origin}/bundled.html`)
  const to = JSON.stringify({ baseUrl, apiKey })
  expect(await page.evaluate(`page.${call}(${to})`)).toEqual(expected)
})

test('the page of the README loads the modules unbundled, with an import map', async (context) => {
  const page = await openPage(context)
  const origin = await servePages()
  const { baseUrl, apiKey, client } = await startTestService({ CORS_ORIGINS: origin })
  await client.createPet({ name: 'Bo', categoryId: 1 })
  const kept = JSON.stringify({ baseUrl, apiKey })
  await page.addInitScript(`Object.assign(sessionStorage, ${kept})`)
  await page.goto(`${origin}/readme.html`)
  await page.waitForFunction('document.title !== ""')
  expect(await page.title()).toBe('1 pets')
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
  const { code } = await findPages()
  const travel = `${code}; page.travel(${JSON.stringify({ baseUrl, apiKey })})`
  const arrived: unknown = await runInContext(travel, context)
  // Objects of the context have another prototype.
  expect(structuredClone(arrived)).toEqual(destination)
})
