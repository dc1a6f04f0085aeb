import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { createProjectCopy, tryInCopy } from '../../helpers/project-copy.ts'

/** Lints a file that imports the configuration of the service. */
async function lintFile(file: string) {
  const copy = await createProjectCopy()
  await mkdir(dirname(join(copy, file)), { recursive: true })
  const text = "import { readConfig } from '../../config.ts'\n\nexport const read = readConfig\n"
  await writeFile(join(copy, file), text)
  return tryInCopy(copy, `biome lint ${file}`)
}

test('a handler in a folder below server/api may not import the configuration', async () => {
  const { status, output } = await lintFile('server/api/orders/create-order.ts')
  expect(status, output).toBe(1)
  expect(output).toContain('A handler gets validated input and returns a response;')
})

test('a program of the API, in server/api/commands, may import what it needs', async () => {
  const { status, output } = await lintFile('server/api/commands/list-orders.ts')
  expect(status, output).toBe(0)
})
