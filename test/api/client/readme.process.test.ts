import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import express from 'express'
import { afterAll, expect, type TestContext, test } from 'vitest'
import { visit } from '../../helpers/browser/visit.ts'
import { bundle, gzipped } from '../../helpers/client-package/bundle.ts'
import { clientParts, createConsumer, packClient } from '../../helpers/client-package/consumer.ts'
import { listen } from '../../helpers/free-port.ts'
import { project } from '../../helpers/program.ts'
import { copyParts } from '../../helpers/project-copy.ts'
import { startAnimalStore } from '../support/service.ts'
import {
  expectPrinted,
  onPages,
  programs,
  readme,
  readmePage,
  runnerOf,
  runSnippets,
  writeSnippets,
} from './support/readme.ts'
import { checkReadmeTypes } from './support/types.ts'

const tarball = await packClient(await copyParts(project, clientParts, afterAll))
const folder = await createConsumer(tarball)

test('the snippets of the README compile, and its table has every option', () =>
  checkReadmeTypes(folder, join(project, 'node_modules/typescript7/bin/tsc')))

test('every snippet of the README works on Node, and the package with require', async () => {
  expect(await runSnippets(process.execPath, folder)).toBe(process.version)
  // No snippet is in another language.
  const fences = readme.match(/^```\w+$/gm)
  expect(fences).toHaveLength(programs.size + ['Install', 'Browsers'].length)
})

test('the client adds the 7 kB to an application that the README says', async () => {
  const code = await bundle(folder, `export { createAnimalStore } from 'animal-store-client'`)
  expect(gzipped(code)).toBeLessThanOrEqual(7_000)
})

/** Serves the folder to a page until the test ends. */
async function openPages(context: TestContext) {
  const { page } = await visit(context)
  const port = await listen(createServer(express().use(express.static(folder))))
  return { page, origin: `http://127.0.0.1:${port}` }
}

test('the snippets of the README work bundled, in a page', async (context) => {
  const { page, origin } = await openPages(context)
  let output = ''
  page.on('console', (message) => {
    if (message.type() === 'log') {
      output += `${message.text()}\n`
    }
  })
  page.on('pageerror', (error) => {
    output += error
  })

  await writeSnippets(folder, { CORS_ORIGINS: origin })
  await writeFile(join(folder, 'bundle.js'), await bundle(folder, runnerOf(onPages)))
  const html = '<!doctype html><script type="module" src="/bundle.js"></script>'
  await writeFile(join(folder, 'bundled.html'), html)
  await page.goto(`${origin}/bundled.html`)
  await expect.poll(() => output.split('---')).toHaveLength(onPages.length + 2)
  expectPrinted(output, onPages)
})

test('the page of the README works unbundled', async (context) => {
  const { page, origin } = await openPages(context)
  const { baseUrl, apiKey, client } = await startAnimalStore({ CORS_ORIGINS: origin })
  await client.createPet({ name: 'Bo', categoryId: 1 })

  await page.addInitScript(`Object.assign(sessionStorage, ${JSON.stringify({ baseUrl, apiKey })})`)
  await writeFile(join(folder, 'readme.html'), `<!doctype html>${readmePage}`)
  await page.goto(`${origin}/readme.html`)
  await page.waitForFunction('document.title !== ""')
  expect(await page.title()).toBe('1 pets')
})
