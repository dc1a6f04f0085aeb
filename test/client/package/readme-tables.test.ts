import { expect, test } from 'vitest'
import type { AnimalStoreOptions, RetryOptions, TimeoutOptions } from '../../../client/index.ts'
import { operations } from '../../../generated/operations.ts'
import { readme } from './support/readme.ts'

test('the table of methods has each operation of the contract, and marks the deprecated', () => {
  const [, table = ''] = readme.split(/^\| method .*$/m)
  const [own = ''] = table.split('\n\n')
  const rows = own.matchAll(/^\| `(\w+)`( \(deprecated\))? \|/gm)
  const named = Array.from(rows, ([, name, mark]) => [name, mark !== undefined])
  const known = Object.values(operations).map((row) => [row.operationId, 'deprecation' in row])
  expect(named).toEqual(known)
})

// The compiler keeps these complete.
const options: Readonly<Record<keyof AnimalStoreOptions, string>> = {
  baseUrl: '',
  apiKey: '',
  fetch: 'the global one',
  retry: '',
  timeout: '',
  pacer: '',
  onRetry: '',
  onRateLimit: '',
  onDeprecation: 'a console warning',
}
const retry: Readonly<Record<keyof RetryOptions, string>> = {
  attempts: '4',
  backoff: '500',
  longestBackoff: '8,000',
  longestRetryAfter: '60,000',
}
const timeout: Readonly<Record<keyof TimeoutOptions, string>> = {
  attempt: '30,000',
  total: '120,000',
}
const { retry: _, timeout: __, ...plain } = options

const known = new Map<string, string>([
  ...Object.entries(plain),
  ...Object.entries(retry).map(([name, value]) => [`retry.${name}`, value] as const),
  ...Object.entries(timeout).map(([name, value]) => [`timeout.${name}`, value] as const),
  ['maxPages', '100,000'],
])

function readOptions(): Map<string, string> {
  const [, table = ''] = readme.split(/^## Options$/m)
  const rows = table.matchAll(/^\| (`[^|]*) \| ([^|]*?) *\|/gm)
  return new Map(
    Array.from(rows).flatMap(([, cell = '', value = '']) =>
      Array.from(cell.matchAll(/`([\w.]+)`/g), ([, name = '']) => [name, value] as const),
    ),
  )
}

test('the table of options has each option', () => {
  expect([...readOptions().keys()].sort()).toEqual([...known.keys()].sort())
})

// The tests of retries, Retry-After and timeouts show the same defaults.
test('the table of options has the defaults', () => {
  expect(Object.fromEntries(readOptions())).toEqual(Object.fromEntries(known))
})
