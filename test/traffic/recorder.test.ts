import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, inject, test } from 'vitest'
import { startTestService } from '../support/service.ts'
import { allRecorded } from '../support/traffic/recorder.ts'
import { createSample } from '../support/traffic/sample.ts'
import { hideKeys, withoutSecrets } from '../support/traffic/secrets.ts'

const url = 'http://127.0.0.1/v1/pets'

test('of each kind of exchange a few are kept, however many there are', () => {
  const { wants } = createSample()
  const kept = (search: string, method = 'GET', status = 200, headers = {}) => {
    const all = Array.from({ length: 50 }, () =>
      wants(method, url + search, new Headers(headers), status),
    )
    return all.filter(Boolean).length
  }
  expect(kept('')).toBe(3)
  expect(kept('')).toBe(0)
  expect(kept('?limit=1')).toBe(3)
  expect(kept('?limit=2')).toBe(0)
  expect(kept('?limit=2&status=sold')).toBe(3)
  expect(kept('', 'GET', 401)).toBe(3)
  expect(kept('', 'POST', 201)).toBe(3)
  expect(kept('', 'POST', 201, { 'Idempotency-Key': 'a' })).toBe(3)
  // What is not the contract's makes no kinds: a test may send any number of names.
  expect(kept('?a=1', 'GET', 400)).toBe(3)
  expect(kept('?b=1', 'GET', 400)).toBe(0)
  expect(kept('', 'OPTIONS', 204, { 'Access-Control-Request-Method': 'GET' })).toBe(0)
  expect(wants('GET', 'http://127.0.0.1/livez', new Headers(), 200)).toBe(false)
})

test('no credential is kept, only that there was one', () => {
  const key = `ask_${'aB3'.repeat(12)}`
  const fields = withoutSecrets(new Headers({ Authorization: `Bearer ${key}`, Cookie: 'a=b' }))
  expect(fields).toEqual([
    { name: 'authorization', value: 'Bearer [hidden]' },
    { name: 'cookie', value: '[hidden]' },
  ])
  expect(withoutSecrets(new Headers({ Authorization: key }))[0]?.value).toBe('[hidden]')
  expect(hideKeys(`{"name":"${key}","part":"${key.slice(0, 9)}"}`)).toBe(
    '{"name":"[hidden]","part":"[hidden]"}',
  )
})

test('what a test asks is in a file with the name of the test, and without the key', async () => {
  const { send, apiKey } = await startTestService()
  await send('/v1/pets?limit=77')
  await send(`/v1/pets?status=${apiKey}`)
  await allRecorded()
  const folder = inject('trafficFolder') ?? ''
  const files = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'))
  const kept = files.join('').split('\n')
  const own = kept.filter((line) => line.includes('test/traffic/recorder.test.ts > what a test'))
  expect(own.filter((line) => line.includes('/v1/pets?limit=77'))).toHaveLength(1)
  expect(own.filter((line) => line.includes('/v1/pets?status=[hidden]'))).toHaveLength(1)
  expect(files.join('')).not.toContain(apiKey)
})
