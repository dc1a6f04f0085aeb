import { expect, test } from 'vitest'
import { noteOnSchemes } from '../../../server/commands/first-key.ts'
import { issueKey } from '../../../server/security/api-key.ts'
import type { Authenticator } from '../../../server/security/authenticator.ts'
import { createBasicAuthenticator } from '../../../server/security/basic-authenticator.ts'
import {
  acceptDevelopmentKey,
  issueDevelopmentKey,
} from '../../../server/security/development-key.ts'
import { KeyCache } from '../../../server/security/key-cache.ts'
import { createTokenAuthenticator } from '../../../server/security/token-authenticator.ts'
import { TokenVerifiers } from '../../../server/security/token-verifiers.ts'
import { fixturePlans } from '../../fixture-api/plans.ts'
import { startFixtureService } from '../../helpers/fixture-service.ts'
import { startGuardedServer } from './support/guarded-server.ts'

const settings = { oidcIssuer: '', oidcAudience: '', isProduction: false }
const plans = fixturePlans
const terms = { plan: 'hobby', perMinute: 40, perDay: 600, expiresAt: undefined }

/** Starts a server for each of two schemes, and a store with the key for development and another one. */
async function start() {
  const { store, apiKey } = await startFixtureService()
  const { key, record } = issueDevelopmentKey(plans)
  await store.keys.add(record)
  const named = issueKey({ ...terms, name: record.name })
  await store.keys.add(named.record)
  const keyCache = new KeyCache(store.keys)
  const accepting = (authenticator: Authenticator): Authenticator => {
    const { scheme } = acceptDevelopmentKey({ scheme: authenticator }, keyCache)
    return scheme ?? authenticator
  }
  const tokens = await startGuardedServer((log) => {
    const verifiers = new TokenVerifiers(settings.oidcAudience, log)
    return accepting(createTokenAuthenticator({ name: 'login', plans, settings, verifiers, log }))
  })
  const basic = await startGuardedServer(() => {
    const checkPassword = async () => undefined
    return accepting(createBasicAuthenticator({ name: 'staff', plans, checkPassword }))
  })
  const otherKeys = [apiKey, named.key]
  return { key, id: record.id, otherKeys, servers: [tokens, basic], tokens, store }
}

function asPassword(key: string): string {
  return `Basic ${Buffer.from(`anyone:${key}`).toString('base64')}`
}

test('every scheme accepts the key for development, as a token or as a password, with all scopes', async () => {
  const { key, id, servers } = await start()
  for (const { ask } of servers) {
    for (const field of [`Bearer ${key}`, asPassword(key)]) {
      const { status, body } = await ask(field)
      const quota = fixturePlans['factory']
      expect({ status, body }).toEqual({ status: 200, body: { id, quota, claims: {} } })
    }
  }
})

test('other keys, also one with its name, and the key once it is revoked, are not accepted', async () => {
  const { key, id, otherKeys, servers, tokens, store } = await start()
  for (const { ask } of servers) {
    const fields = otherKeys.flatMap((other) => [`Bearer ${other}`, asPassword(other)])
    for (const field of [...fields, 'Bearer x']) {
      expect(await ask(field)).toMatchObject({ status: 401, body: 'invalid' })
    }
    expect(await ask()).toMatchObject({ status: 401, body: 'absent' })
  }
  await store.keys.revoke(id, Date.now())
  expect(await tokens.askWith(key)).toMatchObject({ status: 401 })
})

test('without an issuer no token is accepted, and the log says what to do', async () => {
  const { tokens } = await start()
  expect(await tokens.askWith('a.b.c')).toMatchObject({ status: 401, body: 'invalid' })
  expect(tokens.logged.join('')).toContain('Set OIDC_ISSUER to the URL of the identity provider')
})

test('the start says that every scheme accepts the key, if one has other credentials', () => {
  const note = expect.stringContaining('every security scheme accepts it, with all scopes')
  for (const scheme of [
    { type: 'oauth2' },
    { type: 'openIdConnect' },
    { type: 'http', scheme: 'basic' },
    { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
  ]) {
    expect(noteOnSchemes({ login: scheme })).toEqual(note)
  }
  const ofKeys = {
    one: { type: 'http', scheme: 'bearer' },
    other: { type: 'apiKey' },
    // Only tokens with the format JWT are checked in another way.
    opaque: { type: 'http', scheme: 'bearer', bearerFormat: 'opaque' },
  }
  expect(noteOnSchemes(ofKeys)).toBe('')
})
