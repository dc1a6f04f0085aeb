import { appendFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createProjectCopy, runInCopy, tryInCopy } from '../../helpers/project-copy.ts'

const printMissing =
  "import('./scripts/checks/api-files.ts').then(async ({ checkApiFiles }) => console.log((await checkApiFiles()).join()))"

test('npm run check passes in the fixture project, and names a file that the API lacks', async () => {
  const copy = await createProjectCopy()
  const output = await runInCopy(copy, 'npm run -s check')
  expect(output).toContain('types (')

  await rm(join(copy, 'server/api/plans.ts'))
  const template = 'scripts/init/templates/server/api/plans.ts.template'
  expect(await runInCopy(copy, `node -e "${printMissing}"`)).toBe(
    `server/api/plans.ts is missing; begin with ${template}\n`,
  )
})

test('npm test reports code of the API that cannot be loaded, beside all other errors of the check, and runs no tests', async () => {
  const copy = await createProjectCopy()
  await rm(join(copy, 'server/api/error-format.ts'))
  const { status, output } = await tryInCopy(copy, 'npm test -- --reporter dot')
  expect(status).toBe(1)
  expect(output).toMatch(/^ {2}server\/api\/error-format\.ts cannot be loaded: Error/m)
  expect(output).toMatch(/^ {2}server\/api\/error-format\.ts is missing; begin with /m)
  expect(output).toMatch(/^FAILED types/m)
  expect(output).not.toMatch(/RUN|No test files/)
})

test('npm run check finds what is wrong in the generated types, as npm run build does', async () => {
  const copy = await createProjectCopy()
  await appendFile(
    join(copy, 'generated/openapi.d.ts'),
    "type Broken = components['schemas']['none']\n",
  )
  const { status, output } = await tryInCopy(copy, 'npm run -s check')
  expect(status).toBe(1)
  expect(output).toMatch(/^FAILED types .*\n {2}generated\/openapi\.d\.ts\(/m)
})
