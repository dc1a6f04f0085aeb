import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { startFixtureService, tools } from '../../helpers/fixture-service.ts'

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

test('1,000 requests that have nothing in common leave the heap where it was', async () => {
  const { send, apiKey } = await startFixtureService({ TRUST_PROXY: '1', LOG_LEVEL: 'warn' })
  const request = async (at: number): Promise<void> => {
    const headers = {
      Authorization: at % 3 === 0 ? `Bearer ${at}` : `Bearer ${apiKey}`,
      'Content-Type': `application/json; p${at}=${at}`,
      Accept: `application/json; p${at}=${at}`,
      'Idempotency-Key': `key ${at}`,
      'X-Request-Id': `request-${at}`,
      'X-Forwarded-For': `2001:db8:${at.toString(16)}::1`,
      'User-Agent': `agent ${at}`,
      Origin: `https://${at}.example`,
    }
    const method = at % 2 === 0 ? 'GET' : 'POST'
    const body = method === 'POST' ? `{"name":1,"field ${at}":1}` : null
    const path = at % 5 === 0 ? `/lending/v2/${at}` : `${tools}?cursor=${at}&x${at}=1`
    await (await send(path, { method, headers, body })).arrayBuffer()
  }
  const heapAfter = async (from: number, to: number): Promise<number> => {
    for (let at = from; at < to; at++) await request(at)
    collectGarbage()
    return process.memoryUsage().heapUsed
  }
  const before = await heapAfter(0, 500)
  const after = await heapAfter(500, 1_500)
  expect((after - before) / 1e6).toBeLessThan(1.5)
})
