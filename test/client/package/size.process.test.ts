import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { rolldown } from 'rolldown'
import { expect, test } from 'vitest'
import { calls } from '../../../generated/calls.ts'
import { examples } from '../../../generated/examples.ts'
import { createConsumer } from './support/installed-package.ts'

const more = Math.max(0, Object.keys(calls).length - 3)

// For `createAnimalStore`, openapi-fetch and three operations; each further one is a row of a table.
const limit = 6_000 + 50 * more

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

test('createAnimalStore adds few bytes to an application', async () => {
  const { length } = gzipSync(await bundle('createAnimalStore'), { level: 9 })
  const message = `createAnimalStore ships ${length} bytes, minified and gzipped; allowed: ${limit}`
  expect(length <= limit, message).toBe(true)
})

test('an application ships only what it uses', async () => {
  const store = await bundle('createAnimalStore')
  const pacer = await bundle('createPacer')
  const both = await bundle('createAnimalStore', 'createPacer')
  expect(both.length - store.length).toBeGreaterThan(pacer.length / 2)
  expect(store).toContain('Authorization')
  expect(pacer).not.toContain('Authorization')
  expect(store).not.toContain(examples.listPets[200].headers['X-Request-Id'])
  expect((await bundle('AnimalStoreError')).length).toBeLessThan(500)
})
