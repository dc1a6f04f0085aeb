import { expect, test } from 'vitest'
import { project, runProgram } from '../helpers/program.ts'

const env = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }

test('redocly lint without arguments accepts the spec, and workflows where there are some', async () => {
  const cli = 'node_modules/@redocly/cli/bin/cli.js'
  const { status, errorOutput } = await runProgram(cli, ['lint'], { project, env })
  expect(status, errorOutput).toBe(0)
  expect(errorOutput).toMatch(/validating spec\/openapi\.yaml/)
})
