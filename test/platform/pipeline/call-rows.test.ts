import { expect, test } from 'vitest'
import { readCalls } from '../../../scripts/pipeline/call-rows.ts'
import { readBundled } from '../../../server/description/description-reader.ts'

const info = { title: 'A', version: '1.0.0' }
const keyParameter = { name: 'Idempotency-Key', in: 'header', schema: { type: 'string' } }
const components = { securitySchemes: { key: { type: 'http', scheme: 'bearer' } } }

/** Returns how a client calls the one operation of a description, which takes an idempotency key. */
function callOf(security: readonly object[] | undefined) {
  const post = {
    operationId: 'create',
    parameters: [keyParameter],
    responses: { 204: { description: 'OK' } },
    ...(security && { security }),
  }
  const paths = { '/a': { post } }
  return readCalls(readBundled({ openapi: '3.1.0', info, paths, components }))['create']
}

test('a client repeats a create by its idempotency key if every caller has credentials', () => {
  expect(callOf([{ key: [] }])).toMatchObject({ idempotent: true })
})

// The service knows a key by its caller: without one, each attempt would create something.
test.for([
  ['is public', undefined],
  ['says that it is public', []],
  ['takes optional credentials', [{ key: [] }, {}]],
] as const)('a client repeats no create of an operation that %s', ([, security]) => {
  expect(callOf(security)).not.toHaveProperty('idempotent')
})
