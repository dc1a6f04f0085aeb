import { expect, test } from 'vitest'
import { startFixtureService, tools } from '../../helpers/fixture-service.ts'
import { sendBytes } from '../../helpers/raw.ts'
import { send, stopClocks } from './counting.ts'

test('of 100,000 addresses no more are counted than the bound', async () => {
  stopClocks()
  const service = await startFixtureService({ TRUST_PROXY: '1', LOG_LEVEL: 'warn' })
  /** Sends a request from each of these many addresses, 90 on each connection. */
  async function flood(count: number): Promise<void> {
    const requests = Array.from({ length: count }, (_, at) => {
      const address = `10.${at >> 16}.${(at >> 8) & 255}.${at & 255}`
      const end = at % 90 === 89 || at === count - 1 ? 'Connection: close\r\n' : ''
      return `GET ${tools} HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: ${address}\r\n${end}\r\n`
    })
    for (let from = 0; from < count; from += 90) {
      await sendBytes(service.origin, requests.slice(from, from + 90).join(''))
    }
  }
  const first = { 'X-Forwarded-For': '192.0.2.1' }
  expect(await send(service, first)).toMatchObject({ remaining: 59 })
  await flood(99_999)
  expect(await send(service, first)).toMatchObject({ remaining: 58 })
  await flood(100_000)
  expect(await send(service, first)).toMatchObject({ remaining: 59 })
}, 600_000)
