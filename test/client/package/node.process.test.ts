import { expect, test } from 'vitest'
import { checkJourney, checkMockHandlers, loaders } from './support/checks.ts'
import { runCommand } from './support/command.ts'
import { createConsumer } from './support/installed-package.ts'

const major = Number(process.versions.node.split('.')[0])

test.each(loaders)('the package works on Node with %s', (...program) => {
  return checkJourney(major, program)
})

test('the mock handlers work with MSW on Node', () => checkMockHandlers(undefined, major))

test('the mock handlers need an installed MSW', async () => {
  const folder = await createConsumer({ 'any.mjs': "import 'animal-store-client/testing'" })
  const imported = runCommand(process.execPath, ['any.mjs'], folder)
  await expect(imported).rejects.toThrow("Cannot find package 'msw'")
})
