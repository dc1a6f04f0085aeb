import { join } from 'node:path'
import { test } from 'vitest'
import { project } from '../../helpers/program.ts'
import { runInCopy } from '../../helpers/project-copy.ts'
import { tryDescription } from './own-project.ts'

test.for([
  ['test/platform/init/museum.yaml', 'test/api test/project'],
  ['test/fixture-api/openapi.yaml', 'test/api test/project'],
  // Its if, then and else cannot be sampled, which its conformance test would need.
  ['test/fixture-api/files/workshop.yaml', undefined],
] as const)(
  'init of %s: checks and tests pass, and it starts',
  { timeout: 900_000 },
  async ([spec, tests]) => {
    await tryDescription(join(project, spec), tests)
  },
)

test("the platform's tests pass in a project of init", { timeout: 1_800_000 }, async () => {
  const copy = await tryDescription(join(project, 'test/platform/init/museum.yaml'))
  await runInCopy(copy, 'npm run -s test:platform')
})
