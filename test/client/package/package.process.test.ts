import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { rolldown } from 'rolldown'
import { expect, test } from 'vitest'
import { calls } from '../../../generated/calls.ts'
import { examples } from '../../../generated/examples.ts'
import { project } from '../../helpers/program.ts'
import { startTestService } from '../../helpers/service.ts'
import { checkJourney, checkTypes, loaders, printed, withTools } from './support/checks.ts'
import { createConsumer, installWithTools, run } from './support/package.ts'
import { programs, readSnippets } from './support/readme.ts'

/** Returns what an application ships that imports some names of the package, minified. */
async function bundle(...names: readonly string[]): Promise<string> {
  const source = `export { ${names.join()} } from 'animal-store-client'`
  const folder = await createConsumer({ 'application.js': source })
  const input = join(folder, 'application.js')
  const application = await rolldown({ input, cwd: folder, platform: 'browser' })
  const { output } = await application.generate({ minify: true, comments: false })
  await application.close()
  return output.map((file) => (file.type === 'chunk' ? file.code : '')).join('')
}

test('an application ships only what it uses, and few bytes', async () => {
  const store = await bundle('createAnimalStore')
  const pacer = await bundle('createPacer')
  const both = await bundle('createAnimalStore', 'createPacer')
  expect(both.length - store.length).toBeGreaterThan(pacer.length / 3)
  expect(store).toContain('Authorization')
  expect(pacer).not.toContain('Authorization')
  expect(store).not.toContain(examples.listPets[200].headers['X-Request-Id'])
  expect((await bundle('AnimalStoreError')).length).toBeLessThan(500)
  // For openapi-fetch and three operations; each further one is a row of a table.
  const more = Math.max(0, Object.keys(calls).length - 3)
  expect(gzipSync(store, { level: 9 }).length).toBeLessThanOrEqual(7_000 + 50 * more)
})

test.each(loaders)('the package works on Node with %s', async (...loader) => {
  expect(await checkJourney(process.execPath, loader)).toBe(process.version)
})

test('the types of the package and the snippets of the README compile', () =>
  checkTypes(join(project, 'node_modules/typescript7/bin/tsc'), withTools))

const runner = `
for (const [name, baseUrl, apiKey] of JSON.parse(process.env.SNIPPETS)) {
  Object.assign(process.env, { ANIMAL_STORE_URL: baseUrl, ANIMAL_STORE_KEY: apiKey })
  console.log('---')
  await import('./' + name)
}`

test('every snippet of the README works', async () => {
  expect([...programs.keys()]).toEqual([...printed.keys()])
  expect([...readSnippets('html').keys()]).toEqual(['Browsers'])
  expect(readSnippets('[^\\n]*').size).toBe(printed.size + ['Install', 'Browsers'].length)
  const files: Record<string, string> = { 'runner.mjs': runner }
  const rows = Array.from(programs, async ([, program], at) => {
    files[`${at}.ts`] = program
    const { baseUrl, apiKey, client } = await startTestService()
    for (const status of ['available', 'available', 'sold'] as const) {
      await client.createPet({ name: 'Bo', categoryId: 1, status })
    }
    return [`${at}.ts`, baseUrl, apiKey]
  })
  const env = { SNIPPETS: JSON.stringify(await Promise.all(rows)) }
  const folder = await createConsumer(files, installWithTools())
  const output = await run(process.execPath, ['runner.mjs'], folder, env)
  const [, ...texts] = output.split('---\n')
  for (const [heading, expected] of printed) {
    expect(texts.shift(), `the snippet "${heading}"`).toMatch(expected)
  }
})
