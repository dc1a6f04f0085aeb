import { afterEach, expect, test, vi } from 'vitest'
import { createAddressLimit, networkOf } from '../../server/access/address-limit.ts'
import { createApiKey } from '../../server/access/api-key.ts'
import { createMemoryTally } from '../../server/access/memory-tally.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { testCounting } from './counting-places.ts'

afterEach(() => {
  vi.useRealTimers()
})

async function ask({ send }: TestService, headers: Record<string, string> = {}) {
  const response = await send('/v1/pets', { headers })
  return {
    status: response.status,
    remaining: Number(response.headers.get('x-ratelimit-remaining')),
    limit: Number(response.headers.get('x-ratelimit-limit')),
    retryAfter: Number(response.headers.get('retry-after')),
  }
}

testCounting('an address may ask 60 times a minute without a valid key', async (start) => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 10, 20, 12) })
  const service = await start()
  const wrong = [{}, { Authorization: 'Bearer x' }, { Authorization: `Bearer ${createApiKey()}` }]
  for (let left = 59; left >= 0; left--) {
    const answer = await ask(service, wrong[left % 3])
    expect(answer).toMatchObject({ status: 401, limit: 60, remaining: left })
  }
  expect(await ask(service)).toMatchObject({ status: 429, remaining: 0, retryAfter: 60 })
  vi.setSystemTime(Date.now() + 60_000)
  expect(await ask(service)).toMatchObject({ status: 401, remaining: 59 })
})

testCounting(
  'a valid key is served from an address that is over its limit, and does not count there',
  async (start) => {
    const service = await start({ ANONYMOUS_PER_MINUTE: '2' })
    const valid = { Authorization: `Bearer ${service.apiKey}` }
    for (let turn = 0; turn < 5; turn++) expect((await ask(service, valid)).status).toBe(200)
    expect(await ask(service)).toMatchObject({ status: 401, remaining: 1 })
    await ask(service)
    expect((await ask(service)).status).toBe(429)
    expect((await ask(service, valid)).status).toBe(200)
    // One that the service has never seen, too.
    const { key } = await service.issue()
    expect((await ask(service, { Authorization: `Bearer ${key}` })).status).toBe(200)
  },
)

testCounting(
  'X-Forwarded-For counts when a proxy is trusted, and is ignored when none is',
  async (start) => {
    const direct = await start({ ANONYMOUS_PER_MINUTE: '2' })
    for (let turn = 0; turn < 3; turn++) await ask(direct, { 'X-Forwarded-For': `192.0.2.${turn}` })
    expect((await ask(direct, { 'X-Forwarded-For': '192.0.2.77' })).status).toBe(429)

    const proxied = await start({ ANONYMOUS_PER_MINUTE: '2', TRUST_PROXY: '1' })
    for (let turn = 0; turn < 2; turn++) await ask(proxied, { 'X-Forwarded-For': '192.0.2.1' })
    expect((await ask(proxied, { 'X-Forwarded-For': '192.0.2.1' })).status).toBe(429)
    // What the caller wrote before the proxy's own entry does not matter.
    expect((await ask(proxied, { 'X-Forwarded-For': '198.51.100.9, 192.0.2.1' })).status).toBe(429)
    expect((await ask(proxied, { 'X-Forwarded-For': '192.0.2.2' })).status).toBe(401)
  },
)

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:DB8:1:2::9', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['192.0.2.1:443', '192.0.2.1'],
  ['[2001:db8:1:2::9]:443', '2001:db8:1:2::/64'],
  ['::ffff:c000:0201', '192.0.2.1'],
  // Groups behind the zeros that count, and zeros that nothing stands before or behind.
  ['::3:4:5:6:7:8', '0:0:3:4::/64'],
  ['1::4:5:6:7:8', '1:0:0:4::/64'],
  ['1::', '1:0:0:0::/64'],
  ['::', '0:0:0:0::/64'],
  ['[2001:db8:1:2::9]', '2001:db8:1:2::/64'],
  // IPv4 within IPv6 elsewhere than at the end of the zeros is none.
  ['1::ffff:c000:201', '1:0:0:0::/64'],
  ['::ffff:c000:201:9', '0:0:0:0::/64'],
  ['192.0.2.1:443x', 'unknown'],
  ['x[::1]', 'unknown'],
  ['[::1]x', 'unknown'],
  ['nonsense', 'unknown'],
  ['', 'unknown'],
])('%s is counted as %s', (address, network) => {
  expect(networkOf(address)).toBe(network)
})

test('a million addresses take a bounded amount of memory', async () => {
  const { setFlagsFromString } = await import('node:v8')
  const { runInNewContext } = await import('node:vm')
  setFlagsFromString('--expose-gc')
  const collect: () => void = runInNewContext('gc')
  const limit = createAddressLimit(createMemoryTally({ after: 10, seconds: 300 }), 60)
  const fill = async (from: number, to: number): Promise<number> => {
    for (let at = from; at < to; at++) {
      await limit.add(`${(at >> 24) & 255}.${(at >> 16) & 255}.${(at >> 8) & 255}.${at & 255}`)
    }
    collect()
    return process.memoryUsage().heapUsed / 1e6
  }
  const before = await fill(0, 150_000)
  const after = await fill(150_000, 1_000_000)
  expect(after - before).toBeLessThan(20)
}, 180_000)

test('with limits off nothing is counted and no header tells of a limit', async () => {
  const { send } = await startTestService({ RATE_LIMITS: 'off', ANONYMOUS_PER_MINUTE: '1' })
  for (let turn = 0; turn < 5; turn++) {
    const response = await send('/v1/pets', { headers: {} })
    expect(response.status).toBe(401)
    expect(response.headers.get('x-ratelimit-limit')).toBeNull()
  }
  const good = await send('/v1/pets')
  expect(good.status).toBe(200)
  expect(good.headers.get('x-ratelimit-limit')).toBeNull()
})
