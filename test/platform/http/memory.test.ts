import { channel } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { setImmediate as nextTick } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import {
  createRequests,
  length,
  startFixtureService,
  tool,
  tools,
} from '../../helpers/fixture-service.ts'
import { openSocket } from '../../helpers/raw.ts'

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

test('1,000 requests that have nothing in common leave the heap where it was', async () => {
  const { send, apiKey } = await startFixtureService({ TRUST_PROXY: '1' })
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
  expect((after - before) / 1e6).toBeLessThan(3)
})

/** Watches the responses that node:http made since, as far as they are still in memory. */
function watchResponses() {
  const responses: WeakRef<object>[] = []
  channel('http.server.response.finish').subscribe((message) => {
    const { response } = Object(message)
    responses.push(new WeakRef(response))
  })
  return {
    count: () => responses.length,
    async inMemory() {
      await nextTick()
      collectGarbage()
      return responses.filter((response) => response.deref() !== undefined).length
    },
  }
}

test('the memory of a response is freed while its connection stays open', async () => {
  const service = await startFixtureService()
  const { get, post } = createRequests(service)
  const rejected = get('/lending/v2/nothing', length).replace('GET', 'POST') + tool
  const responses = watchResponses()
  let expected = 0
  for (const request of [get(), post(), rejected]) {
    const socket = openSocket(service.origin)
    for (let count = 0; count < 3; count++) {
      socket.write(request)
      await once(socket, 'data')
      await expect.poll(responses.count, { timeout: 30_000 }).toBe(++expected)
    }
    await expect.poll(responses.inMemory, { timeout: 30_000 }).toBe(0)
    expect(socket.closed).toBe(false)
  }
})
