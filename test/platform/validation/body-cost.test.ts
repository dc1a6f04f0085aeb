import { expect, test } from 'vitest'
import { startFixtureWith } from '../../helpers/fixture-with.ts'

const most = 100_000
const requestBody = { required: true, mediaTypes: ['application/json'], maxBytes: most }
const drill = '"kind":"drill","name":"a","power":1'
const members = Array.from({ length: 9_000 }, (_, index) => `"a${index}":1`).join()
const oneError = `{${drill},"unknown":{${members}}}`.padEnd(most)
const manyErrors = `{${drill},${members}}`.padEnd(most)

test('a body with thousands of errors costs at most five times the CPU of one that is as large and has one', async () => {
  const { send, apiKey } = await startFixtureWith({ operations: { createTool: { requestBody } } })
  const headers = { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' }

  /** CPU time of this thread, which does not depend on what else the machine does. */
  async function costOf(body: string): Promise<number> {
    const { user, system } = process.threadCpuUsage()
    for (let count = 0; count < 3; count++) {
      const response = await send('/lending/v2/tools', { method: 'POST', headers, body })
      expect(response.status).toBe(400)
      await response.arrayBuffer()
    }
    const after = process.threadCpuUsage()
    return after.user + after.system - user - system
  }

  // The first rounds load and compile code, and some collect garbage.
  const costs = { many: Number.POSITIVE_INFINITY, one: Number.POSITIVE_INFINITY }
  for (let round = 0; round < 10; round++) {
    costs.many = Math.min(costs.many, await costOf(manyErrors))
    costs.one = Math.min(costs.one, await costOf(oneError))
  }
  expect(costs.many / costs.one).toBeLessThanOrEqual(5)
})
