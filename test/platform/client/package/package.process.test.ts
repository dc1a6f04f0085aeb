import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import express from 'express'
import { expect, type TestContext, test } from 'vitest'
import { calls } from '../../../../generated/calls.ts'
import { examples } from '../../../../generated/examples.ts'
import { visit } from '../../../helpers/browser/visit.ts'
import { listen } from '../../../helpers/free-port.ts'
import { project } from '../../../helpers/program.ts'
import { startTestService } from '../../../helpers/service.ts'
import { bundle, createConsumer, packClient } from './support/consumer.ts'
import {
  expectPrinted,
  onPages,
  programs,
  readme,
  readmePage,
  runMock,
  runnerOf,
  runSnippets,
  writeSnippets,
} from './support/readme.ts'
import { checkTypes, inCommonJs, withTools } from './support/types.ts'

const tarball = await packClient()
const folder = await createConsumer(tarball)

test('an application ships only what it uses, and few bytes', async () => {
  const shipped = (names: string) =>
    bundle(folder, `export { ${names} } from 'animal-store-client'`)
  const store = await shipped('createAnimalStore')
  const pacer = await shipped('createPacer')
  const both = await shipped('createAnimalStore, createPacer')
  expect(both.length - store.length).toBeGreaterThan(pacer.length / 3)
  expect(store).toContain('Authorization')
  expect(pacer).not.toContain('Authorization')
  expect(store).not.toContain(examples.listPets[200].headers['X-Request-Id'])
  expect((await shipped('AnimalStoreError')).length).toBeLessThan(500)
  // For openapi-fetch and three operations; each further one is a row of a table.
  const more = Math.max(0, Object.keys(calls).length - 3)
  expect(gzipSync(store, { level: 9 }).length).toBeLessThanOrEqual(7_000 + 50 * more)
})

test('the types of the package and the snippets of the README compile', () =>
  checkTypes(folder, join(project, 'node_modules/typescript7/bin/tsc'), withTools))

test('the mock handlers compile in a CommonJS project, and respond there, with MSW 2', async () => {
  const folder = await createConsumer(tarball, '2')
  for (const compiler of ['typescript', 'typescript7']) {
    await checkTypes(folder, join(project, 'node_modules', compiler, 'bin/tsc'), inCommonJs)
  }
  expect(await runMock(process.execPath, folder)).toBe('200\n')
})

test('every snippet of the README works on Node, and the package with require', async () => {
  expect(await runSnippets(process.execPath, folder)).toBe(process.version)
  // No snippet is in another language.
  const fences = readme.match(/^```\w+$/gm)
  expect(fences).toHaveLength(programs.size + ['Install', 'Browsers'].length)
})

/** Serves the folder to a page until the test ends. */
async function openPages(context: TestContext) {
  const { page } = await visit(context)
  const port = await listen(createServer(express().use(express.static(folder))))
  return { page, origin: `http://127.0.0.1:${port}` }
}

/** It evaluates no code. */
const policy = `<meta http-equiv="Content-Security-Policy" content="script-src 'self'">`

test('the snippets of the README work bundled, in a page that forbids eval', async (context) => {
  const { page, origin } = await openPages(context)
  let output = ''
  page.on('console', (message) => {
    if (message.type() === 'log') output += `${message.text()}\n`
  })
  page.on('pageerror', (error) => {
    output += error
  })
  await writeSnippets(folder, { CORS_ORIGINS: origin })
  await writeFile(join(folder, 'bundle.js'), await bundle(folder, runnerOf(onPages)))
  const html = `<!doctype html>${policy}<script type="module" src="/bundle.js"></script>`
  await writeFile(join(folder, 'bundled.html'), html)
  await page.goto(`${origin}/bundled.html`)
  await expect.poll(() => output.split('---')).toHaveLength(onPages.length + 2)
  expectPrinted(output, onPages)
})

test('the page of the README works unbundled, and gets a network_error where its origin is not allowed', async (context) => {
  const { page, origin } = await openPages(context)
  const { baseUrl, apiKey, client } = await startTestService({ CORS_ORIGINS: origin })
  await client.createPet({ name: 'Bo', categoryId: 1 })
  await page.addInitScript(`Object.assign(sessionStorage, ${JSON.stringify({ baseUrl, apiKey })})`)
  await writeFile(join(folder, 'readme.html'), `<!doctype html>${readmePage}`)
  await page.goto(`${origin}/readme.html`)
  await page.waitForFunction('document.title !== ""')
  expect(await page.title()).toBe('1 pets')
  const other = await startTestService({ CORS_ORIGINS: 'https://app.example' })
  const to = JSON.stringify({ baseUrl: other.baseUrl, apiKey: other.apiKey, maxRetries: 0 })
  const call = `import('animal-store-client')
    .then(({ createAnimalStore }) => createAnimalStore(${to}).listPets())
    .catch(({ name, code }) => name + ': ' + code)`
  expect(await page.evaluate(call)).toBe('AnimalStoreError: network_error')
})
