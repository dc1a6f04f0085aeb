import { expect, test } from 'vitest'
import { project, runProgram } from '../../helpers/program.ts'

test('the service sends the recorded responses', { timeout: 600_000 }, async () => {
  const { status, errorOutput } = await runProgram('test/api/responses/compare-responses.ts', [], {
    project,
  })
  expect(status, errorOutput).toBe(0)
})
