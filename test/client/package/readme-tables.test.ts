import { expect, test, vi } from 'vitest'
import type { ListOptions } from '../../../client/index.ts'
import { operations } from '../../../generated/operations.ts'
import { fail, passTimeAtOnce, recordClient, stall, succeed } from '../support/client.ts'
import { readme, readOptions } from './support/readme.ts'

test('the table of methods in the README names operations of the contract, and marks the deprecated', () => {
  const [, table = ''] = readme.split(/^\| method .*$/m)
  const [own = ''] = table.split('\n\n')
  const rows = Array.from(own.matchAll(/^\| `(\w+)`( \(deprecated\))? \|/gm))
  const isDeprecated = new Map(
    Object.values(operations).map((row) => [row.operationId as string, 'deprecation' in row]),
  )
  expect(rows.length).toBeGreaterThan(0)
  for (const [, name = '', mark] of rows) {
    expect([name, isDeprecated.get(name)]).toEqual([name, mark !== undefined])
  }
})

/** Calls a client once; returns the time that it took, how often it was sent, and its waits. */
async function observe(respond: Parameters<typeof recordClient>[0], options: ListOptions = {}) {
  passTimeAtOnce()
  vi.spyOn(Math, 'random').mockReturnValue(1 - 2 ** -53)
  const { store, requests, retries } = recordClient(respond, {}, {})
  const from = performance.now()
  await Promise.resolve(store.listPets({}, options)).catch(() => undefined)
  const waits = retries.map(({ delay }) => Math.round(delay))
  return { time: performance.now() - from, sent: requests.length, waits }
}

test('the defaults in the table of options of the README are those of the client', async () => {
  const options = readOptions()
  const read = (name: string) => Number(options[name])
  expect((await observe(fail(503))).sent).toBe(read('maxRetries') + 1)
  const [, longest = ''] = /A delay that .* is at most ([\d,]+)/.exec(readme) ?? []
  const many = await observe(fail(503), { maxRetries: 9 })
  expect(Math.max(...many.waits)).toBe(Number(longest.replace(',', '')))
  const seconds = read('maxRetryDelay') / 1_000
  const after = (wait: number) => [fail(503, { 'Retry-After': `${wait}` }), succeed]
  expect(await observe(after(seconds))).toMatchObject({ sent: 2 })
  expect(await observe(after(seconds + 1))).toMatchObject({ sent: 1 })
  expect(await observe(stall, { maxRetries: 0 })).toMatchObject({ time: read('timeout') })
  const timeout = Number.POSITIVE_INFINITY
  expect(await observe(stall, { timeout })).toMatchObject({ time: read('totalTimeout') })
})
