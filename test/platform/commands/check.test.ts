import { appendFile, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { createProjectCopy, runInCopy, tryInCopy } from '../../helpers/project-copy.ts'

const printMissing =
  "import('./scripts/checks/api-files.ts').then(async ({ checkApiFiles }) => console.log((await checkApiFiles()).join()))"

// One copy: its first check computes the types of all files, and the others those that a test changes.
const copy = await createProjectCopy(undefined, afterAll)

/** Removes a file of the copy for one test. */
async function removeFile(name: string): Promise<void> {
  const file = join(copy, name)
  await rename(file, `${file}.removed`)
  onTestFinished(() => rename(`${file}.removed`, file))
}

/** Appends a line to a file of the copy for one test. */
async function appendLine(name: string, line: string): Promise<void> {
  const file = join(copy, name)
  const before = await readFile(file)
  await appendFile(file, line)
  onTestFinished(() => writeFile(file, before))
}

test('npm run check passes in the fixture project, and names a file that the API lacks', async () => {
  const output = await runInCopy(copy, 'npm run -s check')
  expect(output).toContain('types (')

  await removeFile('server/api/plans.ts')
  const template = 'scripts/init/templates/server/api/plans.ts.template'
  expect(await runInCopy(copy, `node -e "${printMissing}"`)).toBe(
    `server/api/plans.ts is missing; begin with ${template}\n`,
  )
})

test('npm test reports code of the API that cannot be loaded, beside all other errors of the check, and runs no tests', async () => {
  await removeFile('server/api/error-format.ts')
  const { status, output } = await tryInCopy(copy, 'npm test -- --reporter dot')
  expect(status).toBe(1)
  expect(output).toMatch(/^ {2}server\/api\/error-format\.ts cannot be loaded: Error/m)
  expect(output).toMatch(/^ {2}server\/api\/error-format\.ts is missing; begin with /m)
  expect(output).toMatch(/^FAILED types/m)
  expect(output).not.toMatch(/RUN|No test files/)
})

test('npm run check finds what is wrong in the generated types, as npm run build does', async () => {
  await appendLine('generated/openapi.d.ts', "type Broken = components['schemas']['none']\n")
  const { status, output } = await tryInCopy(copy, 'npm run -s check')
  expect(status).toBe(1)
  expect(output).toMatch(/^FAILED types .*\n {2}generated\/openapi\.d\.ts\(/m)
})
