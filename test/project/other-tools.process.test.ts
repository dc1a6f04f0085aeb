import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { calls } from '../../generated/calls.ts'
import { project, runProgram } from '../helpers/program.ts'
import { createTemporaryFolder } from '../helpers/temporary-folder.ts'

const redocly = 'node_modules/@redocly/cli/bin/cli.js'
const openapiTypescript = 'node_modules/openapi-typescript/bin/cli.js'
const env = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }

// An extension may hold a reference, which this rule does not know.
const rules = 'extends: [spec]\nrules: { spec-strict-refs: off }\n'

/** The description that is edited, which refers to that of the platform, and the whole one that is served. */
const files = ['spec/openapi.yaml', 'generated/openapi.json']

test.for(files)('redocly lint without the rules of the platform accepts %s', async (file) => {
  const config = join(createTemporaryFolder(), 'redocly.yaml')
  writeFileSync(config, rules)
  const args = ['lint', join(project, file), '--config', config]
  const { status, errorOutput } = await runProgram(redocly, args, { project, env })
  expect(status, errorOutput).toBe(0)
})

test.for(files)('openapi-typescript prints the types of each operation of %s', async (file) => {
  // Not in the project, whose redocly.yaml it would read.
  const folder = createTemporaryFolder()
  const args = [join(project, file), '--output', join(folder, 'types.ts')]
  const { status, errorOutput } = await runProgram(openapiTypescript, args, {
    project,
    cwd: folder,
  })
  expect(status, errorOutput).toBe(0)
  const types = readFileSync(join(folder, 'types.ts'), 'utf8')
  for (const name of Object.keys(calls)) {
    expect(types).toMatch(new RegExp(`^ {4}"?${name}"?: \\{$`, 'm'))
  }
})
