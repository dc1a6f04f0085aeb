import { expect, test } from 'vitest'
import {
  createRequests,
  startFixtureService,
  startFixtureWith,
  tools,
} from '../../helpers/fixture-service.ts'
import { collectGarbage, heapGrowth } from '../../helpers/heap.ts'
import { expectMetric } from '../../helpers/metrics.ts'
import { openSocket } from '../../helpers/raw.ts'

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
  expect(await heapGrowth([500, 1_500], request)).toBeLessThan(1.5)
})

test.for([
  ['chunked', 'Transfer-Encoding: chunked\r\n', '1\r\n{\r\n'],
  ['long', 'Content-Length: 50000000\r\n', '{'],
])(
  'a %s body takes memory as it arrives, not as much as it may have',
  async ([, fields = '', start = '']) => {
    const requestBody = { required: true, mediaTypes: ['application/json'], maxBytes: 50_000_000 }
    const service = await startFixtureWith(
      { operations: { createTool: { requestBody } } },
      { OPS_PORT: '0' },
    )
    collectGarbage()
    const before = process.memoryUsage().arrayBuffers
    const { post } = createRequests(service)
    for (let count = 0; count < 100; count++) {
      openSocket(service.origin).write(post(fields, start))
    }
    await expectMetric(service, 'requests_in_flight', 100)
    await service.send(tools)
    const after = process.memoryUsage().arrayBuffers
    expect((after - before) / 1e6).toBeLessThan(50)
  },
)

test('a body in one-byte chunks, longer than what is reserved for it at first, is read whole', async () => {
  const service = await startFixtureService()
  const tool = { kind: 'saw', name: 'Ryoba', teeth: 24 }
  const text = ' '.repeat(19_000) + JSON.stringify(tool)
  const body = new ReadableStream({
    start(controller) {
      for (const byte of Buffer.from(text)) {
        controller.enqueue(Uint8Array.of(byte))
      }
      controller.close()
    },
  })
  const headers = { 'Content-Type': 'application/json' }
  const response = await service.send(tools, { method: 'POST', body, headers, duplex: 'half' })
  expect(await response.json()).toMatchObject(tool)
})
