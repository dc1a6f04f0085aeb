import { expect, test } from 'vitest'
import { apiKeyMarker as marker } from '../../../server/process/names.ts'
import { startFixtureService, startFixtureWith, tools } from '../../helpers/fixture-service.ts'

const base = '/lending/v2'

test.for([
  ['info', [base]],
  ['debug', ['/livez', '/readyz', base]],
] as const)('at LOG_LEVEL=%s the paths in the log are %j', async ([level, paths]) => {
  const { send, requestLines } = await startFixtureService({ LOG_LEVEL: level })
  for (const path of ['/livez', '/readyz', base]) {
    await send(path)
  }
  expect(requestLines.map(({ path }) => path)).toEqual(paths)
})

test('in the path that is logged an API key is redacted, and a long path is cut', async () => {
  const { send, apiKey, requestLines } = await startFixtureService()
  await send(`${tools}/${apiKey}/x?key=${apiKey}`)
  await send(`/${'a'.repeat(7_000)}`)
  expect(requestLines.map(({ path }) => path)).toEqual([
    `${tools}/${marker}***/x`,
    expect.stringMatching(/^\/a{9,1000}…$/),
  ])
})

test('a response with many long violations is one short line at the level error', async () => {
  const body = Array.from({ length: 300 }, () => ({ id: 0, name: '🐶'.repeat(1_500) }))
  const listTools = () => ({ status: 200, body, headers: { 'X-Total': 0 } })
  const service = await startFixtureWith({ handlers: { listTools } })
  // Not by `send`: the response to a failure is not recorded.
  const headers = { Authorization: `Bearer ${service.apiKey}`, 'X-Request-Id': 'my-request-1' }
  expect((await fetch(`${service.baseUrl}/tools`, { headers })).status).toBe(500)
  expect(service.logged).toMatchObject([{ level: 'error', requestId: 'my-request-1' }])
  const text = JSON.stringify(service.logged[0])
  expect(text.length).toBeLessThan(8_192)
  expect(text).not.toMatch(/\\ud[89a-f]/i)
})
