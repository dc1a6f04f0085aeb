import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createProjectCopy, runInCopy } from '../../helpers/project-copy.ts'

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
