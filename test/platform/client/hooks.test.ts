import { expect, test, vi } from 'vitest'
import { operations } from '../../fixture-api/generated/operations.ts'
import { fail, failureOf, recordClient, succeed } from './support/client.ts'

const limited = {
  'X-RateLimit-Limit': '60',
  'X-RateLimit-Remaining': '59',
  'X-RateLimit-Reset': '1795132860',
}

test('onRateLimit is called for each attempt, errors too', async () => {
  const onRateLimit = vi.fn()
  const rejected = fail(503, limited)
  const success = () => Response.json([], { headers: limited })
  const { client } = recordClient([rejected, rejected, success], { maxRetries: 3, onRateLimit })
  await client.listTools()
  const rateLimit = { limit: 60, remaining: 59, reset: new Date('2026-11-20T00:01:00Z') }
  expect(onRateLimit.mock.calls).toEqual([[rateLimit], [rateLimit], [rateLimit]])
})

test.each([
  ['absent', {}],
  ['incomplete', { ...limited, 'X-RateLimit-Reset': '' }],
  ['negative', { ...limited, 'X-RateLimit-Remaining': '-1' }],
  ['out of range', { ...limited, 'X-RateLimit-Reset': '9'.repeat(13) }],
])('rate limit headers that are %s are ignored', async (_, headers) => {
  const onRateLimit = vi.fn()
  const error = await failureOf(recordClient(fail(404, headers), { onRateLimit }).client.getTool(1))
  expect(onRateLimit).not.toHaveBeenCalled()
  expect([error.rateLimit, error.requestId, error.retryAfter]).toEqual(Array(3).fill(undefined))
})

test('hooks that throw or reject fail no call, and are logged', async () => {
  const logged = vi.spyOn(console, 'error').mockReturnValue()
  const headers = { ...limited, Deprecation: '@0' }
  const onDeprecation = () => {
    throw new Error('broken')
  }
  const onRetry = async () => onDeprecation()
  const hooks = { onDeprecation, onRetry, onRateLimit: onRetry }
  const { client } = recordClient([fail(500, headers), fail(404, headers)], {
    ...hooks,
    maxRetries: 1,
  })
  expect((await failureOf(client.getTool(1))).status).toBe(404)
  // A hook may reject later; an unhandled rejection fails the run.
  await new Promise(setImmediate)
  expect(logged).toHaveBeenCalledTimes(4)
  for (const call of logged.mock.calls) {
    expect(call.at(-1)).toEqual(new Error('broken'))
  }
})

const deprecated = {
  operationId: 'getManual',
  replacement: operations.getManual.deprecation.replacedBy.description,
}

test('without hooks the console warns once of deprecation, and logs nothing else', async () => {
  const warn = vi.spyOn(console, 'warn').mockReturnValue()
  const logged = vi.spyOn(console, 'error')
  const headers = { ...limited, Deprecation: '@0' }
  const options = { maxRetries: 3, onRetry: undefined, onDeprecation: undefined }
  const { client } = recordClient([fail(503, headers), succeed], options)
  await client.getManual(1)
  await client.getManual(1)
  const event = { ...deprecated, since: new Date(0), sunset: undefined }
  expect(warn.mock.calls).toEqual([[expect.any(String), event]])
  expect(logged).not.toHaveBeenCalled()
})

const dates = { Deprecation: '@1795132860', Sunset: 'Thu, 05 Dec 2030 00:00:00 GMT' }

test.each([
  ['the dates of a response', dates, new Date('2026-11-20T00:01:00Z'), new Date('2030-12-05')],
  ['dates that cannot be read', { Deprecation: 'yes', Sunset: 'soon' }, undefined, undefined],
])('onDeprecation is called once an operation, with %s', async (_, headers, since, sunset) => {
  const onDeprecation = vi.fn()
  const { client } = recordClient(() => Response.json([], { headers }), { onDeprecation })
  // Which operation a raw request calls is not known.
  await client.raw.GET('/tools/{toolId}/manual', { params: { path: { toolId: 1 } } })
  expect(onDeprecation).not.toHaveBeenCalled()
  await client.getManual(1)
  await client.getManual(1)
  // The contract has no replacement of an operation that only the response deprecates.
  await client.listTools()
  expect(onDeprecation.mock.calls).toEqual([
    [{ ...deprecated, since, sunset }],
    [{ operationId: 'listTools', replacement: undefined, since, sunset }],
  ])
})
