import { expect, test } from 'vitest'
import { toObject } from '../../../server/description/json.ts'
import { fixtureApi } from '../../fixture-api/fixture-api.ts'
import {
  secured,
  startFixtureService,
  startFixtureWith,
  tools,
} from '../../helpers/fixture-service.ts'
import { askBytes } from '../../helpers/raw.ts'

const origin = 'https://app.example'
const preflight = { Origin: origin, 'Access-Control-Request-Method': 'POST' }
const allowed = { 'access-control-allow-origin': origin, vary: 'Origin' }

test('a preflight request from an allowed origin needs no API key and does not count', async () => {
  const { ask } = await startFixtureService({ CORS_ORIGINS: `${origin}, http://localhost:8080` })
  for (const [path, methods] of [
    [tools, 'GET, HEAD, OPTIONS, POST'],
    [`${tools}/1`, 'DELETE, GET, HEAD, OPTIONS, PATCH, PUT'],
  ] as const) {
    const response = await ask(path, { method: 'OPTIONS', key: '', headers: preflight })
    const headers = /^Authorization, Content-Type, X-Request-Id, (.*, )?Idempotency-Key(, |$)/
    expect(response).toMatchObject({
      status: 204,
      ...allowed,
      'access-control-allow-methods': methods,
      'access-control-allow-headers': expect.stringMatching(headers),
    })
    expect(response).not.toHaveProperty('x-ratelimit-limit')
  }
})

test('OPTIONS needs an API key unless it is a preflight request of an origin in CORS_ORIGINS', async () => {
  const { ask: askWithout } = await startFixtureWith(secured)
  const { ask } = await startFixtureWith(secured, { CORS_ORIGINS: origin })
  const options = { method: 'OPTIONS', key: '' }
  const foreign = { ...preflight, Origin: `${origin}.evil` }
  for (const response of [
    await askWithout(tools, { ...options, headers: preflight }),
    await ask(tools, { ...options, headers: foreign }),
  ]) {
    expect(response).toMatchObject({ status: 401 })
    expect(response).not.toHaveProperty('access-control-allow-origin')
  }
  const response = await ask(tools, { ...options, headers: { Origin: origin } })
  expect(response).toMatchObject({ status: 401, ...allowed })
})

test('responses to an allowed origin expose every header of the description, errors too, and those to a malformed request', async () => {
  const service = await startFixtureService({ CORS_ORIGINS: origin })
  const ask = (path: string, key = service.apiKey) =>
    service.ask(path, { key, headers: { Origin: origin } })
  const malformed = `GET /${'a'.repeat(9_000)} HTTP/1.1\r\nHost: a\r\nOrigin: ${origin}\r\n\r\n`
  const described = Object.keys(toObject(toObject(fixtureApi.description['components'])['headers']))
  for (const [response, status] of [
    [await ask(tools), 200],
    [await ask(`${tools}/2`), 404],
    [await ask('/lending/v2/nothing'), 404],
    [await ask(tools, ''), 401],
    [await ask('/livez', ''), 200],
    [await askBytes(service.origin, malformed), 414],
  ] as const) {
    expect(response).toMatchObject({ status, ...allowed })
    const exposed = String(response['access-control-expose-headers']).split(', ')
    expect(exposed).toEqual(expect.arrayContaining(['Date', ...described]))
  }
  const without = await service.ask(tools)
  expect(without).toMatchObject({ vary: 'Origin' })
  expect(without).not.toHaveProperty('access-control-allow-origin')
})
