import { expect, test } from 'vitest'
import { startFixtureWith } from '../../helpers/fixture-service.ts'
import type { TestService } from '../../helpers/service.ts'

const most = 100_000
const requestBody = { required: true, mediaTypes: ['application/json'], maxBytes: most }
const drill = '"kind":"drill","name":"a","power":1'
const members = Array.from({ length: 9_000 }, (_, index) => `"a${index}":1`).join()
const oneError = `{${drill},"unknown":{${members}}}`.padEnd(most)
const manyErrors = `{${drill},${members}}`.padEnd(most)

test('a body with thousands of errors costs at most five times the CPU of one that is as large and has one', async () => {
  const service = await startFixtureWith({ operations: { createTool: { requestBody } } })
  const [many = 0, one = 0] = await costsOf(service, [manyErrors, oneError])
  expect(many / one).toBeLessThanOrEqual(5)
})

test('thousands of unique items cost at most ten times the CPU of items that need not be unique', async () => {
  const list = { type: 'array', items: { type: 'array', items: { type: 'integer' } } }
  const service = await startFixtureWith({
    operations: { createTool: { requestBody } },
    edit({ paths }) {
      const properties = { free: list, unique: { ...list, uniqueItems: true } }
      const content = paths['/tools'].post.requestBody.content['application/json']
      content.schema = { type: 'object', properties, required: ['name'] }
    },
  })
  const items = Array.from({ length: 10_000 }, (_, index) => `[${index}]`).join()
  const [unique = 0, free = 0] = await costsOf(service, [
    `{"unique":[${items}]}`,
    `{"free":[${items}]}`,
  ])
  expect(unique / free).toBeLessThanOrEqual(10)
})

/** Returns the CPU time of this thread for each body, which does not depend on other processes. */
async function costsOf({ send }: TestService, bodies: readonly string[]): Promise<number[]> {
  const costs: number[][] = bodies.map(() => [])
  // The first rounds load and compile code, and some collect garbage.
  for (let round = 0; round < 4; round++) {
    for (const [index, body] of bodies.entries()) {
      const { user, system } = process.threadCpuUsage()
      for (let count = 0; count < 3; count++) {
        const response = await send('/lending/v2/tools', { json: body })
        expect(response.status).toBe(400)
        await response.arrayBuffer()
      }
      const after = process.threadCpuUsage()
      costs[index]?.push(after.user + after.system - user - system)
    }
  }
  return costs.map((all) => Math.min(...all))
}
