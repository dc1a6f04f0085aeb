import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { rolldown } from 'rolldown'
import { expect, test } from 'vitest'
import { calls } from '../../generated/calls.ts'
import { createConsumer } from './support/consumer.ts'

const more = Math.max(0, Object.keys(calls).length - 3)

/**
 * The most bytes that an application may grow by for `createAnimalStore`, openapi-fetch and the
 * contract's first three operations included. Each further one is a row of a table.
 */
const limit = 6_000 + 50 * more

/** What an application ships that imports a name of the package, minified. */
async function bundle(name: string): Promise<string> {
  const folder = await createConsumer({
    'application.js': `export { ${name} } from 'animal-store-client'`,
  })
  const input = join(folder, 'application.js')
  const application = await rolldown({ input, cwd: folder, platform: 'browser' })
  const { output } = await application.generate({ minify: true, comments: false })
  await application.close()
  return output.map((file) => (file.type === 'chunk' ? file.code : '')).join('')
}

test('an application grows little by the client', async () => {
  const { length } = gzipSync(await bundle('createAnimalStore'), { level: 9 })
  const told = `createAnimalStore ships ${length} bytes, minified and gzipped; allowed: ${limit}`
  expect(length <= limit, told).toBe(true)
})

test('what an application does not use it does not ship', async () => {
  const code = await bundle('createAnimalStore')
  expect(code).toContain('Authorization')
  // The pacer alone waits by a microtask, the answers for tests alone have examples.
  expect(code).not.toContain('queueMicrotask')
  expect(code).not.toContain('Rex')
  const pacer = await bundle('createPacer')
  expect(pacer).toContain('queueMicrotask')
  expect(pacer).not.toContain('Authorization')
  expect(await bundle('AnimalStoreError')).toMatch(/^.{0,500}$/s)
})
