import { beforeEach, expect, test, vi } from 'vitest'
import { startFixtureService as start } from '../../helpers/fixture-service.ts'
import { repeat, send, stopClocks } from './counting.ts'

beforeEach(() => stopClocks())

const wait = (seconds: number) => vi.advanceTimersByTime(seconds * 1_000)
const codesOf = (responses: Awaited<ReturnType<typeof repeat>>) => responses.map(({ code }) => code)

test('the tenth 429 within a minute bans the key for five minutes, which requests neither extend nor count in', async () => {
  const service = await start()
  const { key } = await service.issue({ perMinute: 1 })
  await send(service, key)
  expect(codesOf(await repeat(9, service, key))).toEqual(Array(9).fill('rate_limited'))
  expect(await send(service, key)).toMatchObject({
    status: 429,
    code: 'api_key_banned',
    message: 'The API key is banned after repeated requests over its limit. Retry in 300 s.',
    retryAfter: 300,
    limit: 1,
  })
  wait(120)
  await repeat(20, service, key)
  wait(179)
  expect(await send(service, key)).toMatchObject({ code: 'api_key_banned', retryAfter: 1 })
  wait(1)
  expect(await send(service, key)).toMatchObject({ status: 200 })
  expect(await send(service, key)).toMatchObject({ code: 'rate_limited' })
})

test('429s that are spread over more than a minute do not ban', async () => {
  const service = await start()
  const { key } = await service.issue({ perMinute: 1 })
  for (let minute = 0; minute < 4; minute++) {
    expect(codesOf(await repeat(6, service, key))).not.toContain('api_key_banned')
    wait(61)
  }
})

test('Retry-After of a ban is enough, whatever else is used up', async () => {
  const service = await start({ BAN_AFTER: '3', BAN_SECONDS: '5' })
  const { key } = await service.issue({ perMinute: 100, perDay: 3 })
  await repeat(5, service, key)
  const first = await send(service, key)
  expect(first).toMatchObject({ code: 'api_key_banned', retryAfter: 86_400, limit: 100 })
  expect(await send(service, key)).toEqual(first)
  wait(86_400)
  expect(await send(service, key)).toMatchObject({ status: 200 })
})

test('BAN_AFTER and BAN_SECONDS apply, to one key alone, and after a ban again', async () => {
  const service = await start({ BAN_AFTER: '3', BAN_SECONDS: '70' })
  const { key } = await service.issue({ perMinute: 1 })
  const other = await service.issue({ perMinute: 1 })
  await send(service, key)
  for (let ban = 0; ban < 2; ban++) {
    expect(codesOf(await repeat(2, service, key))).toEqual(['rate_limited', 'rate_limited'])
    expect(await send(service, key)).toMatchObject({ code: 'api_key_banned', retryAfter: 70 })
    wait(70)
    expect(await send(service, key)).toMatchObject({ status: 200 })
  }
  expect(await send(service, other.key)).toMatchObject({ status: 200 })
})
