import { expect, test } from 'vitest'
import { startFixtureWith } from '../../helpers/fixture-service.ts'

const path = '/lending/v2/tools'
const tool = { id: 1, kind: 'saw', name: 'Ryoba' }
const notFound = { code: 'not_found', message: 'There is no tool 7.', status: 404 }

// Some responses break the description on purpose: they are sent without a check of the test's own.
function get(origin: string, apiKey: string, target = path, method = 'GET') {
  return fetch(origin + target, { method, headers: { Authorization: `Bearer ${apiKey}` } })
}

const manual = { text: 'Ryoba' }
const withHeader = (name: string, value?: string) => {
  return { status: 200, body: manual, headers: { [name]: value } }
}
const missing = { status: 404, body: notFound }
const limited = { status: 429, body: notFound, headers: { 'Retry-After': 1 } }

/** Responses of `getManual`, or of `listTools` where the body is an array. */
const wrong = {
  'an undeclared status': { status: 418, body: manual },
  'a wrong body': { status: 200, body: { text: 1 } },
  'no body': { status: 200, body: undefined },
  'a body that JSON cannot express': { status: 200, body: { text: 1n } },
  'a missing header': withHeader('X-RateLimit-Limit'),
  'a wrong header': withHeader('X-RateLimit-Remaining', 'no'),
  'an undeclared header': withHeader('X-More', '1'),
  'another media type': { status: 200, body: 'Ryoba', mediaType: 'text/plain' },
  'the code of another status': { ...missing, body: { ...notFound, code: 'rate_limited' } },
  'the body of another status': limited,
  'a wrong body of 5xx': { status: 500, body: { code: 'x' } },
  'too many items': { status: 200, body: Array(51).fill(tool) },
  'a wrong optional header': { status: 200, body: [], headers: { 'X-Total': 'many' } },
}

test('a response that breaks the description becomes a 500 and a log line', async () => {
  let result: { readonly status: number; readonly body: unknown } = missing
  const deleteTool = () => ({ status: 204, body: tool })
  const handlers = { getManual: () => result, listTools: () => result, deleteTool }
  const { origin, apiKey, logged } = await startFixtureWith({ handlers })
  for (const [what, response] of Object.entries(wrong)) {
    result = response
    const target = Array.isArray(response.body) ? path : `${path}/1/manual`
    const sent = await get(origin, apiKey, target)
    expect([sent.status, sent.statusText], what).toEqual([500, 'Internal Server Error'])
    const text = await sent.text()
    expect(JSON.parse(text), what).toMatchObject({ code: 'internal_error', status: 500 })
    expect(text, what).not.toContain('Ryoba')
    expect(sent.headers.get('x-ratelimit-limit'), what).toMatch(/^\d+$/)
    expect([sent.headers.get('x-more'), sent.headers.get('x-total')], what).toEqual([null, null])
    const { status } = response
    const requestId = sent.headers.get('x-request-id')
    expect(logged.at(-1), what).toMatchObject({ level: 'error', requestId, path: target, status })
  }
  const deleted = await get(origin, apiKey, `${path}/1`, 'DELETE')
  expect(deleted.status, 'a body where none is declared').toBe(500)
  expect(logged.at(-1)).toMatchObject({ level: 'error', status: 204 })
  expect(logged).toHaveLength(Object.keys(wrong).length + 1)
})

test('with RESPONSE_VALIDATION=log, a wrong response is sent and logged', async () => {
  let result = { status: 200, body: [{ ...tool, id: '1' }], headers: { 'X-More': '1' } }
  const changes = { handlers: { listTools: () => result } }
  const service = await startFixtureWith(changes, { RESPONSE_VALIDATION: 'log' })
  const response = await get(service.origin, service.apiKey)
  expect([response.status, response.headers.get('x-more')]).toEqual([200, '1'])
  expect(await response.json()).toEqual(result.body)
  expect(service.logged).toMatchObject([{ level: 'error', path, status: 200 }])
  // A header that HTTP does not allow cannot be sent.
  result = { ...result, headers: { 'X-More': 'a\nb' } }
  const { status, statusText } = await get(service.origin, service.apiKey)
  expect([status, statusText]).toEqual([500, 'Internal Server Error'])
  expect(JSON.stringify(service.logged.at(-1))).toContain('X-More')
})

test('content has its length in bytes, also for HEAD, and no content has no type', async () => {
  const body = { ...tool, name: 'Zoë' }
  const { send } = await startFixtureWith({
    handlers: {
      getTool: () => ({ status: 200, body }),
      deleteTool: () => ({ status: 204 }),
    },
  })
  const ask = async (method: string) => {
    const { status, headers } = await send(`${path}/1`, { method })
    return [status, headers.get('content-type'), headers.get('content-length')]
  }
  const full = [200, 'application/json', `${Buffer.byteLength(JSON.stringify(body))}`]
  expect([await ask('GET'), await ask('HEAD')]).toEqual([full, full])
  expect(await ask('DELETE')).toEqual([204, null, null])
})

test('links of the service and of the handler are in one field', async () => {
  const linkOf = async (own: string | undefined, isDeprecated: boolean) => {
    const headers = own === undefined ? {} : { Link: own }
    const [since, replacedBy] = ['2026-11-20', { operationId: 'getOpeningHours' }]
    const deprecation = { since, sunset: '2031-01-31', replacedBy }
    const described = { 'x-deprecated-at': since, 'x-sunset': '2031-01-31' }
    const { send } = await startFixtureWith({
      handlers: { listTools: () => ({ status: 200, body: [], headers }) },
      edit: ({ paths, components }) => {
        const { get } = paths['/tools']
        const { Deprecation, Sunset } = components.headers
        Object.assign(get.responses[200].headers, { Deprecation, Sunset })
        if (isDeprecated)
          Object.assign(get, { deprecated: true, ...described, 'x-replaced-by': replacedBy })
      },
      operations: isDeprecated ? { listTools: { deprecation } } : {},
    })
    return (await send(path)).headers.get('link')
  }
  const successor = '</lending/v2/opening-hours>; rel="successor-version"'
  expect(await linkOf('<a>; rel="next"', true)).toBe(`<a>; rel="next", ${successor}`)
  expect(await linkOf(undefined, true)).toBe(successor)
  expect(await linkOf('<a>; rel="next"', false)).toBe('<a>; rel="next"')
  expect(await linkOf(undefined, false)).toBeNull()
})
