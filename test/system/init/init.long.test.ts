import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'vitest'
import { project } from '../../helpers/program.ts'
import { tryDescription } from './own-project.ts'

// INIT_DESCRIPTIONS may name a folder with more descriptions.
const folder = process.env['INIT_DESCRIPTIONS']
const given = folder === undefined ? [] : readdirSync(folder).map((name) => join(folder, name))
const own = ['test/platform/init/museum.yaml', 'test/fixture-api/openapi.yaml'].map((name) =>
  join(project, name),
)

test.for([...own, ...given].filter((name) => /\.(?:ya?ml|json)$/.test(name)))(
  'init of %s: checks and quick tests pass, and it starts',
  { timeout: 900_000 },
  (spec) => tryDescription(spec, '--mode quick'),
)

// Of its if, then and else no sample can be made, which its conformance test would need.
test(
  'init of a description with rare features: checks pass, and it starts',
  {
    timeout: 900_000,
  },
  () => tryDescription(join(project, 'test/fixture-api/files/workshop.yaml')),
)
