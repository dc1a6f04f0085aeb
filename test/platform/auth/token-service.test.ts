import { expect, test } from 'vitest'
import { issueDevelopmentKey } from '../../../server/security/development-key.ts'
import { fixturePlans } from '../../fixture-api/plans.ts'
import { fixtureWith, tool, tools } from '../../helpers/fixture-service.ts'
import { askBytes } from '../../helpers/raw.ts'
import { startTestService } from '../../helpers/service.ts'
import {
  audience,
  type IdentityProvider,
  startIdentityProvider,
} from './support/identity-provider.ts'

/** Starts the fixture API with tokens of a provider instead of API keys. */
function startWithTokens({ openIdConnectUrl }: IdentityProvider, environment = {}) {
  const api = fixtureWith({
    edit: ({ components }) => {
      components.securitySchemes.apiKey = { type: 'openIdConnect', openIdConnectUrl }
    },
  })
  const variables = { OIDC_AUDIENCE: audience, LOG_LEVEL: 'debug', ...environment }
  return startTestService(
    variables,
    undefined,
    {},
    {
      ...api,
      createAuthenticators: ({ tokens }) => ({ apiKey: tokens('apiKey', { plan: 'workshop' }) }),
    },
  )
}

test('a caller with a token has the limits of its plan, and its own idempotency keys', async () => {
  const provider = await startIdentityProvider()
  const { ask, logged, requestLines } = await startWithTokens(provider)
  const ada = await provider.sign()
  const eve = await provider.sign({ sub: 'eve' })
  const create = (key: string) => {
    return ask(tools, { key, json: tool, headers: { 'Idempotency-Key': 'first' } })
  }

  const first = await create(ada)
  expect(first).toMatchObject({ status: 201, 'x-ratelimit-limit': '200' })
  expect(await create(ada)).toMatchObject({ status: 201, 'idempotent-replayed': 'true' })
  expect(await create(eve)).not.toHaveProperty('idempotent-replayed')
  expect(await ask(tools, { key: ada })).toMatchObject({
    status: 200,
    'x-ratelimit-remaining': '197',
  })

  const lines = JSON.stringify([logged, requestLines])
  expect(lines).toMatch(/"sub_[0-9a-f]{32}"/)
  for (const secret of [...ada.split('.'), ...eve.split('.'), '"ada"', '"eve"']) {
    expect(lines).not.toContain(secret)
  }
})

test('a token that is missing, not valid or too long, and a provider that is away', async () => {
  const provider = await startIdentityProvider()
  const { ask, origin } = await startWithTokens(provider)
  expect(await ask(tools, { key: '' })).toMatchObject({
    status: 401,
    message: 'Send a token: Authorization: Bearer <TOKEN>.',
    'www-authenticate': 'Bearer',
  })
  expect(await ask(tools, { key: await provider.sign({ aud: 'films' }) })).toMatchObject({
    status: 401,
    message: 'The token is not valid.',
    'www-authenticate': 'Bearer error="invalid_token"',
  })
  const long = `Authorization: Bearer ${'a'.repeat(1_000_000)}`
  expect(
    await askBytes(origin, `GET ${tools} HTTP/1.1\r\nHost: a\r\n${long}\r\n\r\n`),
  ).toMatchObject({
    status: 431,
    code: 'bad_request_framing',
  })

  const other = await startIdentityProvider()
  const service = await startWithTokens(other)
  const key = await other.sign()
  await other.stop()
  expect(await service.ask(tools, { key })).toMatchObject({
    status: 503,
    code: 'unavailable',
    'retry-after': '1',
  })
})

test('OIDC_ISSUER replaces the provider of the description', async () => {
  const described = await startIdentityProvider()
  const configured = await startIdentityProvider()
  const { ask } = await startWithTokens(described, { OIDC_ISSUER: `${configured.issuer}/` })
  expect(await ask(tools, { key: await configured.sign() })).toMatchObject({ status: 200 })
  expect(await ask(tools, { key: await described.sign() })).toMatchObject({ status: 401 })
})

test('the key for development is accepted outside production alone', async () => {
  const provider = await startIdentityProvider()
  for (const [NODE_ENV, status] of [
    ['', 200],
    ['production', 401],
  ] as const) {
    const { ask, store } = await startWithTokens(provider, { NODE_ENV })
    const { key, record } = issueDevelopmentKey(fixturePlans)
    await store.keys.add(record)
    expect(await ask(tools, { key }), NODE_ENV).toMatchObject({ status })
  }
})
