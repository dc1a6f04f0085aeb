import { expect, test } from 'vitest'
import { startFixtureWith } from '../../helpers/fixture-service.ts'

/** Starts a service whose handlers keep what they get. */
async function startService() {
  const inputs: unknown[] = []
  const { send } = await startFixtureWith({
    handlers: {
      listTools(input: object) {
        inputs.push(input)
        return { status: 200, body: [] }
      },
      getLoan(input: { readonly path: object }) {
        inputs.push(input)
        return { status: 200, body: { ...input.path, due: '2031-02-03' } }
      },
    },
  })
  return async (path: string, headers: Record<string, string> = {}) => {
    inputs.length = 0
    const response = await send(`/lending/v2${path}`, { headers })
    const { details } = Object(await response.json())
    return { status: response.status, input: inputs[0], details }
  }
}

const none = { path: {}, query: { limit: 10 }, headers: {}, cookies: {} }
const loan = { path: { member: 'a b/c', number: 7 }, query: {}, headers: {}, cookies: {} }

test('parameters reach the handler decoded, with their types and defaults', async () => {
  const get = await startService()
  const rows = [
    ['/tools', none],
    ['/tools?limit=5&kind=saw', { ...none, query: { limit: 5, kind: 'saw' } }],
    ['/tools?limit=007', { ...none, query: { limit: 7 } }],
    ['/tools?tag=a', { ...none, query: { limit: 10, tag: ['a'] } }],
    ['/tools?tag=a&tag=b', { ...none, query: { limit: 10, tag: ['a', 'b'] } }],
    ['/tools?tag=a,b', { ...none, query: { limit: 10, tag: ['a,b'] } }],
    ['/tools?ids=3,4', { ...none, query: { limit: 10, ids: [3, 4] } }],
    ['/tools?heavier-than=0.5', { ...none, query: { limit: 10, 'heavier-than': 0.5 } }],
    ['/members/a%20b%2Fc/loans/7.json', loan],
    ['/tools', { ...none, cookies: { shelf: 7 } }, 'other=x; shelf=7; more=y'],
  ] as const
  for (const [path, input, Cookie = ''] of rows) {
    expect(await get(path, { Cookie }), path).toEqual({ status: 200, input })
  }
})

test('a wrong parameter is rejected with its place and the reason', async () => {
  const get = await startService()
  const rows = [
    ['/tools?a=1', '/query/a', 'is not a parameter of this operation'],
    ['/tools?tag=', '/query/tag', 'must not be empty'],
    ['/tools?limit=1&limit=2', '/query/limit', 'must be given once, not 2 times'],
    ['/tools?ids=1,x', '/query/ids/1', 'must be an integer'],
    ['/members/ann/loans/x.json', '/path/number', 'must be an integer in plain decimal digits'],
    [
      `/members/ann/loans/${'9'.repeat(400)}.json`,
      '/path/number',
      'must not be beyond double precision',
    ],
    ['/tools', '/cookies/shelf', 'must be given once, not 2 times', 'shelf=7; shelf=8'],
  ] as const
  for (const [target, path, message, Cookie = ''] of rows) {
    const { status, details } = await get(target, { Cookie })
    expect([status, details], target).toEqual([400, [{ path, message }]])
  }
})
