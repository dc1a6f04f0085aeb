import { expect, test } from 'vitest'
import { serveWorkshop } from '../support/workshop.ts'

test.each([
  ['an undeclared status', { status: 418, body: ['saw'] }],
  ['a wrong body', { status: 200, body: [1], headers: { 'X-Count': 1 } }],
  ['no body', { status: 200, headers: { 'X-Count': 1 } }],
  ['a missing header', { status: 200, body: ['saw'] }],
  ['a wrong header', { status: 200, body: ['saw'], headers: { 'X-Count': 'many' } }],
  ['an undeclared header', { status: 200, body: [], headers: { 'X-Count': 1, 'X-More': 1 } }],
  [
    'another media type',
    { status: 200, body: 'saw', mediaType: 'text/plain', headers: { 'X-Count': 1 } },
  ],
  ['a wrong 5xx body', { status: 500, body: { code: 'x' } }],
])('%s from a handler becomes a 500 and a log line, or is sent and logged', async (_, reply) => {
  const strict = await serveWorkshop({ listTools: () => reply })
  const refused = await strict.get('/tools')
  expect(refused.status).toBe(500)
  expect(await refused.json()).toMatchObject({ code: 'internal_error', status: 500 })
  expect(strict.logged).toMatchObject([{ msg: 'an answer breaks the contract' }])
  const lax = await serveWorkshop({ listTools: () => reply }, 'log')
  expect((await lax.get('/tools')).status).toBe(reply.status)
  expect(lax.logged).toMatchObject([{ msg: 'an answer breaks the contract' }])
})

test('a body where none is declared becomes a 500', async () => {
  const { get, logged } = await serveWorkshop({ allTools: () => ({ status: 204, body: 'all' }) })
  expect((await get('/tools/all')).status).toBe(500)
  expect(logged).toMatchObject([{ status: 204, faults: ['has a body, declares none'] }])
})

test('an answer that cannot be written is a 500 with its own reason', async () => {
  const reply = { status: 200, body: ['saw'], headers: { 'X-Count': 1, 'X-More': 'a\nb' } }
  const { get, logged } = await serveWorkshop({ listTools: () => reply }, 'log')
  const { status, statusText } = await get('/tools')
  expect([status, statusText]).toEqual([500, 'Internal Server Error'])
  expect(logged).toMatchObject([
    { msg: 'an answer breaks the contract' },
    { err: { message: expect.stringContaining('X-More') } },
  ])
})
