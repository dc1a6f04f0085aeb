import { expect, test } from 'vitest'
import { runProgram } from '../../helpers/program.ts'

test('the service sends the recorded responses', { timeout: 600_000 }, async () => {
  const { status, errorOutput } = await runProgram('test/project/responses/compare-responses.ts')
  expect(status, errorOutput).toBe(0)
})
