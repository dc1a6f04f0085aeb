import { expect, test } from 'vitest'
import { startFixtureService } from '../../helpers/fixture-service.ts'
import { sendMany, sendOne } from './counting.ts'

test('a valid API key works from an address over its limit, and does not count there', async () => {
  const service = await startFixtureService({ ANONYMOUS_PER_MINUTE: '2' })
  for (const { status } of await sendMany(5, service, service.apiKey)) {
    expect(status).toBe(200)
  }
  const [first, , third] = await sendMany(3, service)
  expect([first?.remaining, third?.status]).toEqual([1, 429])
  // One that the service has not seen yet, too.
  const { key } = await service.issue()
  for (const valid of [service.apiKey, key]) {
    expect((await sendOne(service, valid)).status).toBe(200)
  }
})

test('X-Forwarded-For does not count without a trusted proxy', async () => {
  const service = await startFixtureService({ ANONYMOUS_PER_MINUTE: '9' })
  for (const remaining of [8, 7]) {
    const forwarded = { 'X-Forwarded-For': `192.0.2.${remaining}` }
    expect(await sendOne(service, forwarded)).toMatchObject({ remaining })
  }
})

/** Addresses that are counted together, as one address or one /64. */
const sameAddress = {
  'an IPv4 address': ['192.0.2.1', '::ffff:192.0.2.1', '192.0.2.1:443'],
  // What the client wrote before the proxy's own entry does not matter.
  'the last address': ['192.0.2.3', '198.51.100.9, 192.0.2.3', '192.0.2.1, 192.0.2.3'],
  'the /64 of an IPv6 address': [
    '2001:db8:1:2:3:4:5:6',
    '2001:DB8:1:2::9',
    '[2001:db8:1:2::9]:443',
    '2001:db8:1:2::9%eth0',
  ],
  'zeros in the middle': ['2001:db8::1', '2001:db8:0:0:9::'],
  'what is no address': ['192.0.2.1:443x', 'nonsense'],
  others: ['192.0.2.2'],
  'another /64': ['2001:db8:1:3::'],
  'a third one': ['2001:db8:1::'],
}

test('the addresses of a client are counted together, by /64 for IPv6', async () => {
  const service = await startFixtureService({ ANONYMOUS_PER_MINUTE: '9', TRUST_PROXY: '1' })
  for (const [what, addresses] of Object.entries(sameAddress)) {
    for (const [at, address] of addresses.entries()) {
      const { remaining } = await sendOne(service, { 'X-Forwarded-For': address })
      expect(remaining, `${what}: ${address}`).toBe(8 - at)
    }
  }
})

test('with RATE_LIMITS off nothing is counted, and no header shows a limit', async () => {
  const service = await startFixtureService({ RATE_LIMITS: 'off', ANONYMOUS_PER_MINUTE: '1' })
  const { key } = await service.issue()
  const responses = [...(await sendMany(3, service)), await sendOne(service, service.apiKey)]
  await service.store.close()
  responses.push(await sendOne(service, key))
  expect(responses.map(({ status }) => status)).toEqual([401, 401, 401, 200, 503])
  for (const { limit } of responses) {
    expect(limit).toBeNaN()
  }
})
