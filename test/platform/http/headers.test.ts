import { expect, test } from 'vitest'
import { startFixtureService, tools } from '../../helpers/fixture-service.ts'

// Every test checks that its responses have the headers that are declared, and no others.

test('an X-Request-Id of 8 to 64 letters, digits and hyphens is kept, and others are not', async () => {
  const { ask } = await startFixtureService()
  const idFor = async (id: string) =>
    (await ask('/livez', { headers: { 'X-Request-Id': id } }))['x-request-id']
  for (const id of ['abcdefgh', 'A-1'.repeat(21), 'a'.repeat(64)]) {
    expect(await idFor(id)).toBe(id)
  }
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
  const { ask } = await startFixtureService()
  const askFor = (path: string, Accept: string) => ask(path, { headers: { Accept } })
  for (const accept of accepted) {
    expect(await askFor(tools, accept)).toMatchObject({ status: 200 })
  }
  for (const accept of notAcceptable) {
    const rejected = { status: 406, code: 'not_acceptable', deprecation: expect.any(String) }
    expect(await askFor(`${tools}/1/manual`, accept), accept).toMatchObject(rejected)
  }
})
