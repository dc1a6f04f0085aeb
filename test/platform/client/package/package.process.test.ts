import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import express from 'express'
import { afterAll, expect, type TestContext, test } from 'vitest'
import { calls } from '../../../fixture-api/generated/calls.ts'
import { examples } from '../../../fixture-api/generated/examples.ts'
import { visit } from '../../../helpers/browser/visit.ts'
import { bundle, gzipped } from '../../../helpers/client-package/bundle.ts'
import {
  clientParts,
  createConsumer,
  packClient,
} from '../../../helpers/client-package/consumer.ts'
import { startFixtureService } from '../../../helpers/fixture-service.ts'
import { listen } from '../../../helpers/free-port.ts'
import { project } from '../../../helpers/program.ts'
import { createProjectCopy } from '../../../helpers/project-copy.ts'
import { printed, runMock, runOnNode, writeProgram } from './support/programs.ts'
import { checkPackageTypes } from './support/types.ts'

const tarball = await packClient(await createProjectCopy(clientParts, afterAll))
const folder = await createConsumer(tarball)

test('an application ships only what it uses, and few bytes', async () => {
  const shipped = (names: string) =>
    bundle(folder, `export { ${names} } from 'tool-library-client'`)
  const client = await shipped('createToolLibrary')
  const pacer = await shipped('createPacer')
  const both = await shipped('createToolLibrary, createPacer')

  expect(both.length - client.length).toBeGreaterThan(pacer.length / 3)
  expect(client).toContain('Authorization')
  expect(pacer).not.toContain('Authorization')
  expect(client).not.toContain(examples.listTools[200].headers['X-Request-Id'])
  expect((await shipped('ToolLibraryError')).length).toBeLessThan(500)

  // Each operation is a row of a table. The fixture API has lists with links, parameters of other
  // styles, and a response header of its own.
  const bytesOfOperations = 50 * Object.keys(calls).length
  expect(gzipped(client)).toBeLessThanOrEqual(7_925 + bytesOfOperations)
})

test('the options of React Query take at most 600 bytes, in a module of their own', async () => {
  const client = `export { createToolLibrary } from 'tool-library-client'`
  const queries = `export { createQueries } from 'tool-library-client/react-query'`
  const [without, both] = [
    await bundle(folder, client),
    await bundle(folder, `${client}\n${queries}`),
  ]
  expect(without).not.toContain('infiniteQueryOptions')
  expect(both).toContain('infiniteQueryOptions')
  expect(gzipped(both) - gzipped(without)).toBeLessThanOrEqual(600)
})

test('the types of the package compile', () =>
  checkPackageTypes(folder, join(project, 'node_modules/typescript7/bin/tsc'), 'withTools'))

test('the mock handlers compile in a CommonJS project, and respond there, with MSW 2', async () => {
  const folder = await createConsumer(tarball, '2')
  for (const compiler of ['typescript', 'typescript7']) {
    const path = join(project, 'node_modules', compiler, 'bin/tsc')
    await checkPackageTypes(folder, path, 'mocksInCommonJs')
  }
  expect(await runMock(process.execPath, folder)).toBe('200\n')
})

test('the package works on Node, with import and with require', async () => {
  expect(await runOnNode(process.execPath, folder)).toBe(printed)
})

/** Serves the folder to a page until the test ends. */
async function openPages(context: TestContext) {
  const { page } = await visit(context)
  const port = await listen(createServer(express().use(express.static(folder))))
  return { page, origin: `http://127.0.0.1:${port}` }
}

/** It evaluates no code. */
const policy = `<meta http-equiv="Content-Security-Policy" content="script-src 'self'">`

test('the package works bundled, in a page that forbids eval', async (context) => {
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

  const module = await writeProgram(folder, { CORS_ORIGINS: origin })
  await writeFile(join(folder, 'bundle.js'), await bundle(folder, `import '${module}'`))
  const html = `<!doctype html>${policy}<script type="module" src="/bundle.js"></script>`
  await writeFile(join(folder, 'bundled.html'), html)
  await page.goto(`${origin}/bundled.html`)
  await expect.poll(() => output).toBe(printed)
})

const importMap = {
  imports: {
    'tool-library-client': '/node_modules/tool-library-client/index.js',
    'openapi-fetch': '/node_modules/openapi-fetch/dist/index.mjs',
  },
}

test('a page whose origin is not allowed gets a network_error, unbundled', async (context) => {
  const { page, origin } = await openPages(context)
  const html = `<!doctype html><script type="importmap">${JSON.stringify(importMap)}</script>`
  await writeFile(join(folder, 'unbundled.html'), html)
  await page.goto(`${origin}/unbundled.html`)

  const call = async (allowed: string) => {
    const { baseUrl, apiKey } = await startFixtureService({ CORS_ORIGINS: allowed })
    const options = JSON.stringify({ baseUrl, apiKey, maxRetries: 0 })
    return page.evaluate(`import('tool-library-client')
      .then(({ createToolLibrary }) => createToolLibrary(${options}).listTools())
      .then((tools) => tools.length, ({ name, code }) => name + ': ' + code)`)
  }
  expect(await call(origin)).toBe(0)
  expect(await call('https://app.example')).toBe('ToolLibraryError: network_error')
})
