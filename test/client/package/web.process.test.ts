import { createServer } from 'node:http'
import { join } from 'node:path'
import express from 'express'
import { rolldown } from 'rolldown'
import { expect, test } from 'vitest'
import { visit } from '../../helpers/browser/visit.ts'
import { listen } from '../../helpers/free-port.ts'
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

/** It evaluates no code. */
const policy = `<meta http-equiv="Content-Security-Policy" content="script-src 'self'">`

/** Bundles the program into one script that defines `page`, in a folder with pages that use it. */
const createPages = once(async () => {
  const folder = await createConsumer({
    'bundled.html': `<!doctype html>${policy}<script src="/bundle.js"></script>`,
    'page.js': program,
    'journey.js': await readJourney(),
    'readme.html': `<!doctype html>${readSnippets('html').get('Browsers')}`,
  })
  const input = join(folder, 'page.js')
  const bundle = await rolldown({ input, cwd: folder, platform: 'browser' })
  const file = join(folder, 'bundle.js')
  await bundle.write({ file, format: 'iife', name: 'page', minify: true })
  await bundle.close()
  return folder
})

/** Serves the pages until the test ends; returns the origin. */
async function servePages(): Promise<string> {
  const pages = express.static(await createPages())
  return `http://127.0.0.1:${await listen(createServer(express().use(pages)))}`
}

test.for([
  ['works in a page of an allowed origin that forbids eval', 'travel', destination],
  ['gets a network_error in a page of another origin', 'fail', 'network_error'],
] as const)('a bundle %s', async ([, call, expected], context) => {
  const { page } = await visit(context)
  const origin = await servePages()
  const allowed = call === 'fail' ? 'https://app.example' : origin
  const { baseUrl, apiKey } = await startTestService({ CORS_ORIGINS: allowed })
  await page.goto(`${origin}/bundled.html`)
  const to = JSON.stringify({ baseUrl, apiKey })
  // What runs at once may evaluate code.
  const later = `new Promise((next) => setTimeout(next)).then(() => page.${call}(${to}))`
  expect(await page.evaluate(later)).toEqual(expected)
})

test('the page of the README loads the modules unbundled, with an import map', async (context) => {
  const { page } = await visit(context)
  const origin = await servePages()
  const { baseUrl, apiKey, client } = await startTestService({ CORS_ORIGINS: origin })
  await client.createPet({ name: 'Bo', categoryId: 1 })
  const kept = JSON.stringify({ baseUrl, apiKey })
  await page.addInitScript(`Object.assign(sessionStorage, ${kept})`)
  await page.goto(`${origin}/readme.html`)
  await page.waitForFunction('document.title !== ""')
  expect(await page.title()).toBe('1 pets')
})
