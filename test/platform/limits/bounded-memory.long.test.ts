import { expect, test } from 'vitest'
import { startFixtureService, tools } from '../../helpers/fixture-service.ts'
import { exchangeBytes, statusesIn } from '../../helpers/raw.ts'
import type { TestService } from '../../helpers/service.ts'
import { send, stopClocks } from './counting.ts'

/** Sends requests with these fields, many on each connection; gives their statuses. */
async function sendAll({ origin }: TestService, fields: readonly string[]): Promise<number[]> {
  const statuses: number[] = []
  for (let from = 0; from < fields.length; from += 90) {
    const some = fields.slice(from, from + 90)
    const requests = some.map((field, at) => {
      const end = at === some.length - 1 ? 'Connection: close\r\n' : ''
      return `GET ${tools} HTTP/1.1\r\nHost: a\r\n${field}\r\n${end}\r\n`
    })
    statuses.push(...statusesIn((await exchangeBytes(origin, requests.join(''))).text))
  }
  return statuses
}

test('of 100,000 addresses no more are counted than the bound', async () => {
  stopClocks()
  const service = await startFixtureService({ TRUST_PROXY: '1', LOG_LEVEL: 'warn' })
  const fieldOf = (at: number) => `X-Forwarded-For: 10.${at >> 16}.${(at >> 8) & 255}.${at & 255}`
  const flood = (count: number) =>
    sendAll(
      service,
      Array.from({ length: count }, (_, at) => fieldOf(at)),
    )
  const first = { 'X-Forwarded-For': '192.0.2.1' }
  expect(await send(service, first)).toMatchObject({ remaining: 59 })
  await flood(99_999)
  expect(await send(service, first)).toMatchObject({ remaining: 58 })
  await flood(100_000)
  expect(await send(service, first)).toMatchObject({ remaining: 59 })
}, 600_000)

test('of 10,001 API keys all are accepted, and no more are cached than the bound', async () => {
  stopClocks()
  const service = await startFixtureService({ LOG_LEVEL: 'warn' })
  const issued = await Promise.all(Array.from({ length: 10_001 }, () => service.issue()))
  const keys = issued.map(({ key }) => key)
  const statuses = await sendAll(
    service,
    keys.map((key) => `Authorization: Bearer ${key}`),
  )
  expect(new Set(statuses)).toEqual(new Set([200]))
  await service.store.close()
  // What is not cached needs the store.
  for (const key of keys.slice(-5)) expect((await send(service, key)).status).toBe(200)
  expect((await send(service, keys[0])).status).toBe(503)
}, 600_000)
