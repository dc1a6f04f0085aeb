import { expect, test } from 'vitest'
import { startFixtureService, tools } from '../../helpers/fixture-service.ts'

// That responses have the headers that are declared, those of deprecation, and no others, every test asks.
test('an X-Request-Id of 8 to 64 letters, digits and hyphens is kept, and others are not', async () => {
  const { send } = await startFixtureService()
  const idFor = async (id: string) =>
    (await send('/livez', { headers: { 'X-Request-Id': id } })).headers.get('x-request-id')
  for (const id of ['abcdefgh', 'A-1'.repeat(21), 'a'.repeat(64)]) expect(await idFor(id)).toBe(id)
  for (const id of ['a'.repeat(65), 'abcdefg', 'with space', 'a_b_c_d_e']) {
    expect(await idFor(id)).toMatch(/^[0-9a-f-]{36}$/)
  }
})

const accepted = [
  '*/*',
  'application/*;q=0.1, text/html',
  '',
  'text/html, APPLICATION/JSON;a="x,y;q=0";Q=0.5',
]
const notAcceptable = ['text/html', 'application/json;charset=utf-8;q=0.000']

test('Accept without application/json gets 406', async () => {
  const { send } = await startFixtureService()
  for (const accept of [...accepted, ...notAcceptable]) {
    const response = await send(tools, { headers: { Accept: accept } })
    const isAccepted = accepted.includes(accept)
    expect([accept, response.status]).toEqual([accept, isAccepted ? 200 : 406])
    expect(response.headers.get('content-type')).toBe('application/json')
    const error = { code: 'not_acceptable', status: 406 }
    if (!isAccepted) expect(await response.json()).toMatchObject(error)
  }
  const deprecated = await send(`${tools}/1/manual`, { headers: { Accept: 'text/html' } })
  expect([deprecated.status, deprecated.headers.has('deprecation')]).toEqual([406, true])
})
