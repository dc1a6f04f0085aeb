import events from 'node:events'
import { join } from 'node:path'
import { createContext, runInContext } from 'node:vm'
import express from 'express'
import { rolldown } from 'rolldown'
import { expect, onTestFinished, test } from 'vitest'
import { visit } from '../../helpers/browser/visit.ts'
import { once } from '../../helpers/once.ts'
import { startTestService } from '../../helpers/service.ts'
import { destination, readJourney } from './support/checks.ts'
import { createConsumer } from './support/package.ts'
import { readSnippets } from './support/readme.ts'

const program = `
import * as client from 'animal-store-client'
import { journey } from './journey.js'

export const travel = (to) => journey(client, to)
export const fail = (to) => client.createAnimalStore({ ...to, maxRetries: 0 }).listPets().catch(
  (error) => error instanceof client.AnimalStoreError ? error.code : String(error))`

/** Bundles the program into one script that defines `page`, in a folder with pages that use it. */
const createPages = once(async () => {
  const folder = await createConsumer({
    'bundled.html': '<!doctype html><script src="/bundle.js"></script>',
    'page.js': program,
    'journey.js': await readJourney(),
    'readme.html': `<!doctype html>${readSnippets('html').get('Browsers')}`,
  })
  const input = join(folder, 'page.js')
  const bundle = await rolldown({ input, cwd: folder, platform: 'browser' })
  const file = join(folder, 'bundle.js')
  const { output } = await bundle.write({ file, format: 'iife', name: 'page', minify: true })
  await bundle.close()
  return { folder, code: output[0].code }
})

/** Serves the pages until the test ends; returns the origin. */
async function servePages(): Promise<string> {
  const { folder } = await createPages()
  const server = express().use(express.static(folder)).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close().closeAllConnections())
  await events.once(server, 'listening')
  return `http://127.0.0.1:${Object(server.address()).port}`
}

test.for([
  ['works in a page of an allowed origin', 'travel', destination],
  ['gets a network_error in a page of another origin', 'fail', 'network_error'],
] as const)('a bundle %s', async ([, call, expected], context) => {
  const [{ page }, origin] = [await visit(context), await servePages()]
  const allowed = call === 'fail' ? 'https://app.example' : origin
  const { baseUrl, apiKey } = await startTestService({ CORS_ORIGINS: allowed })
  await page.goto(`${origin}/bundled.html`)
  const to = JSON.stringify({ baseUrl, apiKey })
  expect(await page.evaluate(`page.${call}(${to})`)).toEqual(expected)
})

test('the page of the README loads the modules unbundled, with an import map', async (context) => {
  const [{ page }, origin] = [await visit(context), await servePages()]
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
  const { code } = await createPages()
  const travel = `${code}; page.travel(${JSON.stringify({ baseUrl, apiKey })})`
  const arrived: unknown = await runInContext(travel, context)
  // Objects of the context have another prototype.
  expect(structuredClone(arrived)).toEqual(destination)
})
