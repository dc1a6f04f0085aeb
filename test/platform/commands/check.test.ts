import { appendFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createProjectCopy, runInCopy, tryInCopy } from '../../helpers/project-copy.ts'

const printMissing =
  "import('./scripts/checks/api-files.ts').then(async ({ checkApiFiles }) => console.log((await checkApiFiles()).join()))"

test('npm run check passes in the fixture project, and names a file that the API lacks', {
  timeout: 300_000,
}, async () => {
  const copy = await createProjectCopy()
  const output = await runInCopy(copy, 'npm run -s check')
  expect(output).toContain('types (')

  await rm(join(copy, 'server/api/plans.ts'))
  const template = 'scripts/init/templates/server/api/plans.ts.template'
  expect(await runInCopy(copy, `node -e "${printMissing}"`)).toBe(
    `server/api/plans.ts is missing; begin with ${template}\n`,
  )
})

test('npm run check finds what is wrong in the generated types, as npm run build does', {
  timeout: 300_000,
}, async () => {
  const copy = await createProjectCopy()
  await appendFile(
    join(copy, 'generated/openapi.d.ts'),
    "type Broken = components['schemas']['none']\n",
  )
  const { status, output } = await tryInCopy(copy, 'npm run -s check')
  expect(status).toBe(1)
  expect(output).toMatch(/^FAILED types .*\n {2}generated\/openapi\.d\.ts\(/m)
})
