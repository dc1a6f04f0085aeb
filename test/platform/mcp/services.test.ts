import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { startMockService } from '../../../server/commands/mock-service.ts'
import { readConfig } from '../../../server/config.ts'
import { createApiKey } from '../../../server/security/api-key.ts'
import { fixtureApi } from '../../fixture-api/fixture-api.ts'
import { connectAgent } from '../../helpers/agent.ts'
import { fixtureWith } from '../../helpers/fixture-service.ts'
import { startTestService } from '../../helpers/service.ts'
import { audience, startIdentityProvider } from '../auth/support/identity-provider.ts'
import { createShop, startInFrontOf } from '../upstream/support/shop.ts'

const saw = { kind: 'saw', name: 'Ryoba' }

test('an agent calls tools with a token of an identity provider, and not with another token', async () => {
  const { openIdConnectUrl, sign } = await startIdentityProvider()
  const edited = fixtureWith({
    edit: ({ components }) => {
      components.securitySchemes.apiKey = { type: 'openIdConnect', openIdConnectUrl }
    },
  })
  const { origin, send } = await startTestService(
    { OIDC_AUDIENCE: audience },
    undefined,
    {},
    {
      ...edited,
      createAuthenticators: ({ tokens }) => ({ apiKey: tokens('apiKey', { plan: 'workshop' }) }),
    },
  )

  const agent = await connectAgent({ origin, key: await sign() })
  expect(await agent.call('createTool', { body: saw })).toMatchObject({ status: 201 })
  expect(await agent.call('listTools')).toMatchObject({ body: [saw] })
  const otherAudience = await sign({ aud: 'another service' })
  expect((await send('/mcp', { key: otherAudience, json: {} })).status).toBe(401)
})

test('an agent calls tools of a mock, which responds with examples', async () => {
  const config = readConfig({ PORT: '0', OPS_PORT: 'off' })
  const { origin, stop } = await startMockService(config, pino({ level: 'silent' }), fixtureApi)
  onTestFinished(() => stop())
  const agent = await connectAgent({ origin, key: createApiKey() })
  const listed = await agent.call('listTools')
  expect(listed).toMatchObject({ isError: false, status: 200, body: expect.any(Array) })
  const rejected = await agent.call('createTool', { body: { ...saw, name: '' } })
  expect(rejected).toMatchObject({ isError: true, status: 400 })
})

test('an agent calls operations that are forwarded to an upstream', async () => {
  const { origin, apiKey } = await startInFrontOf(createShop())
  const agent = await connectAgent({ origin, key: apiKey })
  expect(await agent.call('getOrder', { id: 1 })).toMatchObject({
    ...{ isError: false, status: 200 },
    body: { id: 1, item: 'Saw' },
  })
  const placed = await agent.call('placeOrder', { body: { item: 'Plane', count: 1 } })
  expect(placed).toMatchObject({ status: 201, body: { id: 3, item: 'Plane' } })
  expect(await agent.call('getOrder', { id: 9 })).toMatchObject({
    ...{ isError: true, status: 404 },
    body: { error: 'no order 9' },
  })
})
