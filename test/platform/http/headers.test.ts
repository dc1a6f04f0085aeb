import { expect, test } from 'vitest'
import { errorResponse } from '../../../server/contract/errors.ts'
import description from '../../fixture-api/generated/openapi.json' with { type: 'json' }
import { startFixtureService, startFixtureWith, tools } from '../../helpers/fixture-service.ts'

// That responses have the headers that are declared, and no others, every test asks.
test('a deprecated operation says so, with its sunset, on every status that it declares', async () => {
  const getManual = ({ path: { toolId } }: { path: { toolId: number } }) => {
    if (toolId === 3) throw new Error('The manual is lost.')
    if (toolId === 2) return errorResponse(404, 'not_found', 'There is no tool 2.')
    return { status: 200, body: { text: 'Do not drop it.' } }
  }
  const { send, issue, store } = await startFixtureWith({ handlers: { getManual } })
  const [limited, unknown] = [await issue({ perMinute: 1 }), await issue()]
  const manual = (id: number | string) => `${tools}/${id}/manual`
  const responses = [
    ...[await send(manual(1)), await send(manual(2)), await send(manual('x'))],
    await send(manual(1), { key: '' }),
    await send(manual(1), { headers: { Accept: 'text/html' } }),
    ...[await send(manual(1), limited), await send(manual(1), limited), await send(manual(3))],
  ]
  await store.close()
  responses.push(await send(manual(1), unknown))
  const statuses = new Set(responses.map(({ status }) => `${status}`))
  const { responses: declared } = description.paths['/tools/{toolId}/manual'].get
  expect(statuses).toEqual(new Set(Object.keys(declared)))
  for (const { headers } of responses) {
    expect(Object.fromEntries(headers)).toMatchObject({
      deprecation: `@${Date.UTC(2026, 10, 20) / 1_000}`,
      sunset: 'Fri, 31 Jan 2031 00:00:00 GMT',
    })
  }
})

test('an X-Request-Id of 8 to 64 letters, digits and hyphens is kept, and others are not', async () => {
  const { send } = await startFixtureService()
  const idFor = async (id: string) =>
    (await send('/livez', { headers: { 'X-Request-Id': id } })).headers.get('x-request-id')
  for (const id of ['abcdefgh', 'A-1'.repeat(21), 'a'.repeat(64)]) expect(await idFor(id)).toBe(id)
  for (const id of ['a'.repeat(65), 'abcdefg', 'with space', 'a_b_c_d_e']) {
    expect(await idFor(id)).toMatch(/^[0-9a-f-]{36}$/)
  }
})

test('the description decides which X-Request-Id is kept, and the value of Cache-Control', async () => {
  const { send } = await startFixtureWith({
    edit({ components: { headers } }) {
      headers['X-Request-Id'].schema.pattern = '^[A-Za-z0-9-]{8,40}$'
      headers['Cache-Control'].schema.const = 'private'
    },
  })
  const sent = { 'X-Request-Id': 'a'.repeat(50) }
  const { headers } = await send('/lending/v2/opening-hours', { headers: sent })
  expect(headers.get('x-request-id')).not.toBe(sent['X-Request-Id'])
  expect(headers.get('cache-control')).toBe('private')
})

const accepted = [
  '*/*',
  'application/*;q=0.1, text/html',
  'APPLICATION/JSON',
  '',
  'text/html, application/json;a="x,y;q=0";Q=0.5',
  '*/*;q=0, application/json;q=0.001',
]
const notAcceptable = [
  'text/html',
  'application/json;charset=utf-8;q=0.000',
  'application/*;q=0, */*',
  'text/html;a="application/json, */*"',
]

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
})
