import { expect, test } from 'vitest'
import { createLog } from '../../../server/ops/log.ts'
import { OperatorError } from '../../../server/process/operator-error.ts'
import { findDiscovery } from '../../../server/security/discovery.ts'
import {
  createTokenAuthenticator,
  type TokenOptions,
} from '../../../server/security/token-authenticator.ts'
import { TokenVerifiers } from '../../../server/security/token-verifiers.ts'
import { fixturePlans } from '../../fixture-api/plans.ts'
import { startServiceOf } from '../../helpers/service.ts'
import { createDescribedApi } from './support/described-api.ts'

const log = createLog('silent', { write: () => undefined })
const settings = { oidcIssuer: 'https://login.example', oidcAudience: 'books', isProduction: true }
const issuer =
  'The security scheme "login" needs an issuer of tokens. Set OIDC_ISSUER to the URL of the identity provider, such as https://login.example.'
const audience =
  'The security scheme "login" needs the audience of its tokens. Set OIDC_AUDIENCE to what the identity provider writes into "aud" for this API, such as https://api.example.'

/** Returns the message of an operator's error, if a start has one. */
function problemOf(options: Partial<TokenOptions>): string | undefined {
  try {
    const verifiers = new TokenVerifiers(settings.oidcAudience, log)
    const usual = { name: 'login', plans: fixturePlans, settings, verifiers, log }
    createTokenAuthenticator({ ...usual, ...options })
    return undefined
  } catch (error) {
    if (error instanceof OperatorError) {
      return error.message
    }
    throw error
  }
}

test('in production, the start needs an issuer and an audience', () => {
  const none = { oidcIssuer: '', oidcAudience: '', isProduction: true }
  const described = 'https://login.example/.well-known/openid-configuration'
  expect(problemOf({ settings: none })).toBe(`${issuer}\n${audience}`)
  expect(problemOf({ settings: none, openIdConnectUrl: '/login' })).toBe(`${issuer}\n${audience}`)
  expect(problemOf({ settings: none, openIdConnectUrl: described })).toBe(audience)
  expect(problemOf({ settings: { ...settings, oidcIssuer: '' } })).toBe(issuer)
  expect(problemOf({})).toBeUndefined()
})

test('the plan of a scheme must have a quota', () => {
  const choice = 'Those are hobby, workshop, factory.'
  for (const plan of ['union', 'gold', 'constructor']) {
    expect(problemOf({ plan })).toBe(
      `The callers of the security scheme "login" need a plan of server/api/plans.ts that has a quota. ${choice}`,
    )
  }
  expect(problemOf({ plans: { union: 'custom' } })).toContain('There is none yet.')
  expect(problemOf({ plan: 'factory' })).toBeUndefined()
})

test('the discovery document is that of the configured issuer, else that of the description', () => {
  const path = '/.well-known/openid-configuration'
  const described = `https://login.example/books${path}`
  expect(findDiscovery('', described)).toEqual({ url: described, issuer: undefined })
  for (const configured of ['https://a.example/b', 'https://a.example/b/']) {
    const issuer = 'https://a.example/b'
    expect(findDiscovery(configured, described)).toEqual({ url: issuer + path, issuer })
    expect(findDiscovery(configured, undefined)).toEqual({ url: issuer + path, issuer })
  }
  for (const url of [undefined, '', '/login', 'login.example', 'file:///login.json']) {
    expect(findDiscovery('', url)).toBeUndefined()
  }
})

test('a start reports at once what all security schemes lack', async () => {
  const api = await createDescribedApi({
    securitySchemes: {
      login: { type: 'oauth2', flows: {} },
      partner: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
      staff: { type: 'http', scheme: 'basic' },
    },
    paths: { '/a': [{ login: [] }, { partner: [] }, { staff: [] }] },
    createAuthenticators: ({ tokens, basic }) => ({
      login: tokens('login'),
      partner: tokens('partner'),
      staff: basic('staff', async () => undefined, { plan: 'gold' }),
    }),
  })
  const lines = [issuer, audience, issuer, audience].map((line, index) => {
    return index < 2 ? line : line.replace('login', 'partner')
  })
  const message = expect.stringContaining(
    `${lines.join('\n')}\nThe callers of the security scheme "staff"`,
  )
  const start = startServiceOf(api, { NODE_ENV: 'production' })
  await expect(start).rejects.toThrow(expect.objectContaining({ message }))
})
