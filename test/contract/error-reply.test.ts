import { expect, test } from 'vitest'
import {
  failure,
  internalError,
  invalidRequest,
  mostDetails,
  shorten,
  toReply,
} from '../../server/contract/answer/error-reply.ts'

test('a text is cut between characters when it is too long', () => {
  expect(shorten('x'.repeat(100))).toBe('x'.repeat(100))
  expect(shorten('x'.repeat(101))).toBe(`${'x'.repeat(99)}…`)
  expect(shorten('abcd', 3)).toBe('ab…')
  // Half of a pair of surrogates is left at the end, and dropped.
  expect(shorten('ab😀d', 3)).toBe('ab…')
})

test('an error says what, and details only where there are some', () => {
  expect(failure(404, 'not_found', 'gone')).toStrictEqual({
    status: 404,
    body: { code: 'not_found', message: 'gone', status: 404 },
  })
  const details = [{ path: '/body', message: 'is wrong' }]
  expect(failure(400, 'invalid_request', 'wrong', details).body).toEqual({
    ...{ code: 'invalid_request', message: 'wrong', status: 400, details },
  })
})

test('a refusal tells how many places are wrong, and lists a hundred of them, each bounded', () => {
  const details = Array.from({ length: 101 }, (_, at) => ({
    path: `/body/${at}`,
    message: 'is wrong',
  }))
  expect(invalidRequest(details.slice(0, 1)).message).toBe(
    'The request breaks the contract in 1 place.',
  )
  expect(invalidRequest(details, 7).message).toBe('The request breaks the contract in 7 places.')
  const { status, headers, body } = toReply(invalidRequest(details))
  expect([status, headers]).toEqual([400, {}])
  expect(body).toEqual({
    ...{ code: 'invalid_request', status: 400, details: details.slice(0, mostDetails) },
    message: 'The request breaks the contract in 101 places.',
  })
  const long = { path: 'p'.repeat(101), message: 'm'.repeat(201) }
  expect(toReply(invalidRequest([long])).body).toMatchObject({
    details: [{ path: `${'p'.repeat(99)}…`, message: `${'m'.repeat(199)}…` }],
  })
})

test('a refusal has a name in a stack, and a cause only where there is one', () => {
  const refusal = invalidRequest([])
  expect(refusal.name).toBe('Refusal')
  expect('cause' in refusal).toBe(false)
})

test('what goes wrong inside is told to nobody but the log', () => {
  const cause = new Error('secret')
  const refusal = internalError(cause)
  expect(refusal.cause).toBe(cause)
  expect(toReply(refusal)).toEqual({
    ...{ status: 500, headers: {} },
    body: {
      ...{ code: 'internal_error', status: 500 },
      message: 'The service failed to answer. Quote the X-Request-Id header when you ask for help.',
    },
  })
})
