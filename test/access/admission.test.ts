import { afterEach, expect, test, vi } from 'vitest'
import { createAddressLimit } from '../../server/access/address-limit.ts'
import { type AdmissionOptions, createAdmission } from '../../server/access/admission.ts'
import { createApiKey } from '../../server/access/api-key.ts'
import { createKeyLimits } from '../../server/access/key-limits.ts'
import { createMemoryTally } from '../../server/access/memory-tally.ts'
import { StoreUnavailable } from '../../server/store/store-unavailable.ts'

afterEach(() => {
  vi.useRealTimers()
})

const usage = { count: () => undefined }
const key = createApiKey()
const unavailable = new StoreUnavailable('The store is away.')

/** Asks with credentials; the store does not know any key, unless the options say otherwise. */
function admit(
  credentials: readonly string[],
  {
    isKeyOptional = false,
    ...options
  }: Partial<AdmissionOptions> & { isKeyOptional?: boolean } = {},
) {
  const keyring = { check: async () => undefined }
  return createAdmission({ keyring, usage, ...options })({
    credentials,
    address: () => '192.0.2.1',
    isKeyOptional: () => isKeyOptional,
  })
}

function limits() {
  const tally = createMemoryTally({ after: 10, seconds: 300 })
  return { ofKey: createKeyLimits(tally), ofAddress: createAddressLimit(tally, 60) }
}

test('where a key is optional, none is needed, and a wrong one is still refused', async () => {
  expect(await admit([], { isKeyOptional: true })).toEqual({ headers: {} })
  for (const credentials of [['Bearer x'], [`Bearer ${key}`]]) {
    expect(await admit(credentials, { isKeyOptional: true })).toMatchObject({
      refusal: { status: 401, code: 'invalid_api_key' },
    })
  }
  expect(await admit([])).toMatchObject({ refusal: { status: 401, code: 'missing_api_key' } })
})

test('whoever counts refusals is told what refused', async () => {
  const told: string[] = []
  const onRefused = (by: string) => void told.push(by)
  const shared = limits()
  for (let turn = 0; turn < 60; turn++) await admit([], { limits: shared, onRefused })
  expect(told).toEqual([])
  expect(await admit([], { limits: shared, onRefused })).toMatchObject({ refusal: { status: 429 } })
  expect(told).toEqual(['address'])
})

test('a limit starts again at a whole second, rounded up', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: 1_000_000_001 })
  const { headers } = await admit([], { limits: limits() })
  expect(headers).toMatchObject({ 'X-RateLimit-Reset': 1_000_061 })
})

test('without limits no answer shows one', async () => {
  const keyring = { check: () => Promise.reject(unavailable) }
  for (const given of [{}, { keyring }]) {
    expect((await admit([`Bearer ${key}`], given)).headers).toEqual({})
  }
})

test('while the store is away, nothing is counted, and the limit of the address is shown', async () => {
  const keyring = { check: () => Promise.reject(unavailable) }
  const shared = limits()
  await admit([], { limits: shared })
  for (let turn = 0; turn < 3; turn++) {
    const { headers, refusal } = await admit([`Bearer ${key}`], { keyring, limits: shared })
    expect(refusal).toBe(unavailable)
    expect(headers).toMatchObject({ 'X-RateLimit-Limit': 60, 'X-RateLimit-Remaining': 59 })
  }
})

test('what else goes wrong with the store is no answer', async () => {
  const keyring = { check: () => Promise.reject(new Error('unexpected')) }
  await expect(admit([`Bearer ${key}`], { keyring })).rejects.toThrow('unexpected')
})
