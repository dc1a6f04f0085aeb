import { expect, test } from 'vitest'
import { startFixtureWith } from '../../helpers/fixture-with.ts'

const most = 100_000
const requestBody = { required: true, mediaTypes: ['application/json'], maxBytes: most }
const drill = '{"kind":"drill","name":"a","power":1'
const unknown = Array.from({ length: 9_000 }, (_, index) => `,"a${index}":1`).join('')
const accepted = `${drill}}`.padEnd(most)
const rejected = `${drill}${unknown}}`.padEnd(most)

test('a rejected body of thousands of unknown members costs at most five times the CPU of an accepted one', async () => {
  const { send, apiKey } = await startFixtureWith({ operations: { createTool: { requestBody } } })
  const headers = { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' }

  /** CPU time of this thread, which does not depend on what else the machine does. */
  async function costOf(body: string, status: number): Promise<number> {
    const { user, system } = process.threadCpuUsage()
    for (let count = 0; count < 3; count++) {
      const response = await send('/lending/v2/tools', { method: 'POST', headers, body })
      expect(response.status).toBe(status)
      await response.arrayBuffer()
    }
    const after = process.threadCpuUsage()
    return after.user + after.system - user - system
  }

  // The first requests load and compile code.
  await costOf(rejected, 400)
  await costOf(accepted, 201)
  expect((await costOf(rejected, 400)) / (await costOf(accepted, 201))).toBeLessThanOrEqual(5)
})
