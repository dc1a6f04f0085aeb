import { createSecretKey, createSign, generateKeyPairSync } from 'node:crypto'
import { CompactEncrypt, CompactSign, exportJWK, SignJWT, UnsecuredJWT } from 'jose'
import { expect, test, vi } from 'vitest'
import { createLog } from '../../../server/ops/log.ts'
import { createTokenAuthenticator } from '../../../server/security/token-authenticator.ts'
import { TokenVerifiers } from '../../../server/security/token-verifiers.ts'
import { fixturePlans } from '../../fixture-api/plans.ts'
import { stopClocks } from '../../helpers/clocks.ts'
import { startGuardedServer } from './support/guarded-server.ts'
import {
  audience,
  createKey,
  type IdentityProvider,
  startIdentityProvider,
} from './support/identity-provider.ts'

/** Starts a server that takes the tokens of a provider. */
function startServer({ openIdConnectUrl }: IdentityProvider, oidcIssuer = '') {
  return startGuardedServer((log) => {
    const settings = { oidcIssuer, oidcAudience: audience, isProduction: true }
    const verifiers = new TokenVerifiers(audience, log)
    const options = { name: 'login', openIdConnectUrl, plans: fixturePlans, plan: 'workshop' }
    return createTokenAuthenticator({ ...options, planClaim: 'tier', settings, verifiers, log })
  })
}

async function start() {
  const provider = await startIdentityProvider()
  return { provider, ...(await startServer(provider)) }
}

const now = () => Math.floor(Date.now() / 1000)

test('a valid token has a caller, with its scopes, claims and plan', async () => {
  const { provider, askWith } = await start()
  const token = await provider.sign({ scope: 'loans:read loans:write', shelf: 7 })
  expect(await askWith(token)).toMatchObject({
    status: 200,
    body: {
      id: expect.stringMatching(/^sub_[0-9a-f]{32}$/),
      quota: fixturePlans['workshop'],
      scopes: ['loans:read', 'loans:write'],
      claims: { sub: 'ada', iss: provider.issuer, shelf: 7 },
    },
  })
})

test('security schemes with one provider share its keys', async () => {
  const provider = await startIdentityProvider()
  const { openIdConnectUrl } = provider
  const log = createLog('silent', { write: () => undefined })
  const verifiers = new TokenVerifiers(audience, log)
  const settings = { oidcIssuer: '', oidcAudience: audience, isProduction: true }
  const options = { openIdConnectUrl, plans: fixturePlans, plan: 'workshop' }
  const token = await provider.sign()
  const source = {
    headers: { authorization: [`Bearer ${token}`] },
    queryValues: () => [],
    cookieValues: () => [],
    checkGuess: async () => undefined,
  }
  for (const name of ['login', 'partner']) {
    const authenticator = createTokenAuthenticator({ ...options, name, settings, verifiers, log })
    expect(await authenticator.authenticate(source)).toMatchObject({ claims: { sub: 'ada' } })
  }
  expect(provider.state.fetched).toBe(1)
})

test('callers differ by issuer and subject, and by nothing else', async () => {
  const one = await start()
  const other = await start()
  const idOf = async (
    { provider, askWith }: typeof one,
    claims: { sub?: string; jti?: string },
  ) => {
    const { body } = await askWith(await provider.sign(claims))
    return body
  }
  const ada = await idOf(one, {})
  const { id } = ada as { id: string }
  expect(await idOf(one, { jti: 'another' })).toMatchObject({ id })
  expect(await idOf(one, { sub: 'eve' })).not.toMatchObject({ id })
  expect(await idOf(other, {})).not.toMatchObject({ id })
})

test.each([
  ['a text', { scope: 'a  b' }, ['a', 'b']],
  ['a list', { scope: ['a', 'b'] }, ['a', 'b']],
  ['a list in scp', { scp: ['a', 'b'] }, ['a', 'b']],
  ['a text in scp', { scp: 'a b' }, ['a', 'b']],
  ['nothing', {}, []],
  ['other values', { scope: 7, scp: [null, 'a', {}] }, ['a']],
])('scopes are %s', async (_, claims, scopes) => {
  const { provider, askWith } = await start()
  expect(await askWith(await provider.sign(claims))).toMatchObject({
    status: 200,
    body: { scopes },
  })
})

test.each([
  ['factory', 'factory'],
  ['union', 'workshop'],
  ['constructor', 'workshop'],
  [7, 'workshop'],
  [undefined, 'workshop'],
])('a token whose plan is %s has the quota of the plan %s', async (tier, plan) => {
  const { provider, askWith } = await start()
  const quota = fixturePlans[plan]
  expect(await askWith(await provider.sign({ tier }))).toMatchObject({
    status: 200,
    body: { quota },
  })
})

test.each(['RS256', 'PS256', 'ES256', 'ES384', 'EdDSA'])(
  'tokens may be signed with %s',
  async (alg) => {
    const { provider, askWith } = await start()
    const key = await createKey('other', alg)
    provider.state.keys = [provider.key.jwk, key.jwk]
    const token = await provider.sign({}, { alg, kid: 'other' }, key.privateKey)
    expect(await askWith(token)).toMatchObject({ status: 200 })
  },
)

test('expiry and start of a token may differ by half a minute', async () => {
  const { provider, askWith } = await start()
  for (const claims of [
    { exp: now() - 10 },
    { nbf: now() + 10 },
    { aud: ['https://a.example', audience] },
  ]) {
    expect(await askWith(await provider.sign(claims)), JSON.stringify(claims)).toMatchObject({
      status: 200,
    })
  }
})

/** Makes tokens that are not valid. */
const invalidTokens: Readonly<
  Record<string, (provider: IdentityProvider) => Promise<string> | string>
> = {
  'no token': () => 'abc',
  'a signature of another key': async ({ sign }) => {
    const { privateKey } = await createKey('forged')
    return sign({}, {}, privateKey)
  },
  'other claims than were signed': async ({ sign }) => {
    const [header, , signature] = (await sign()).split('.')
    const [, claims] = (await sign({ sub: 'eve' })).split('.')
    return [header, claims, signature].join('.')
  },
  'no signature': async ({ sign }) => (await sign()).replace(/[^.]*$/, ''),
  'the algorithm none': ({ issuer }) => {
    const unsecured = new UnsecuredJWT({ iss: issuer, aud: audience, sub: 'ada' })
    return unsecured.setExpirationTime('5m').encode()
  },
  'HS256 with the public key': ({ sign, key }) => {
    return sign({}, { alg: 'HS256' }, Buffer.from(key.pem))
  },
  'HS256 with the public key as JSON': ({ sign, key }) => {
    return sign({}, { alg: 'HS256' }, Buffer.from(JSON.stringify(key.jwk).padEnd(32)))
  },
  'another algorithm of a known key': async ({ sign }) => {
    const { privateKey } = await createKey('first', 'RS256')
    return sign({}, { alg: 'RS256' }, privateKey)
  },
  'an expiry in the past': ({ sign }) => sign({ exp: now() - 60 }),
  'no expiry': ({ sign }) => sign({ exp: undefined }),
  'an expiry that is a text': ({ sign }) => sign({ exp: `${now() + 300}` }),
  'a start in the future': ({ sign }) => sign({ nbf: now() + 60 }),
  'another issuer': ({ sign }) => sign({ iss: 'https://login.example' }),
  'the issuer with a slash': ({ issuer, sign }) => sign({ iss: `${issuer}/` }),
  'no issuer': ({ sign }) => sign({ iss: undefined }),
  'another audience': ({ sign }) => sign({ aud: 'https://films.example' }),
  'other audiences': ({ sign }) => sign({ aud: ['https://films.example', `${audience}/`] }),
  'no audience': ({ sign }) => sign({ aud: undefined }),
  'no subject': ({ sign }) => sign({ sub: undefined }),
  'an empty subject': ({ sign }) => sign({ sub: '' }),
  'a key that is not known': async ({ sign }) => {
    const { privateKey } = await createKey('unknown')
    return sign({}, { kid: 'unknown' }, privateKey)
  },
  'a token inside a token': async ({ sign, key }) => {
    const outer = new CompactSign(Buffer.from(await sign()))
    const header = { alg: 'ES256', kid: 'first', cty: 'JWT' }
    return outer.setProtectedHeader(header).sign(key.privateKey)
  },
  'an encrypted token': async ({ sign }) => {
    const secret = createSecretKey(Buffer.alloc(32))
    const content = new CompactEncrypt(Buffer.from(await sign()))
    return content.setProtectedHeader({ alg: 'dir', enc: 'A256GCM', cty: 'JWT' }).encrypt(secret)
  },
  'its own key': async ({ issuer }) => {
    const { jwk, privateKey } = await createKey('first')
    const token = new SignJWT({ iss: issuer, aud: audience, sub: 'ada' }).setExpirationTime('5m')
    return token.setProtectedHeader({ alg: 'ES256', kid: 'first', jwk }).sign(privateKey)
  },
  'an extension that must be understood': async ({ sign, key }) => {
    const [, claims = ''] = (await sign()).split('.')
    const token = new CompactSign(Buffer.from(claims, 'base64url'))
    const header = { alg: 'ES256', kid: 'first', crit: ['shelf'], shelf: 1 }
    return token.setProtectedHeader(header).sign(key.privateKey, { crit: { shelf: true } })
  },
}

test('a token that is not valid is rejected, and not logged', async () => {
  const { provider, askWith, logged } = await start()
  expect(await askWith(await provider.sign())).toMatchObject({ status: 200 })
  for (const [name, create] of Object.entries(invalidTokens)) {
    const token = await create(provider)
    expect(await askWith(token), name).toMatchObject({ status: 401, body: 'invalid' })
    const parts = token.split('.').filter((part) => part.length > 20)
    const isLogged = parts.some((part) => logged.join('').includes(part))
    expect(isLogged, name).toBe(false)
  }
  expect(logged.join('')).not.toContain('ada')
  expect(logged.join('')).toContain('unexpected \\"aud\\" claim value')
})

test('a field that is missing, empty, repeated or of another scheme', async () => {
  const { provider, ask } = await start()
  const token = `Bearer ${await provider.sign()}`
  expect(await ask()).toMatchObject({ status: 401, body: 'absent' })
  expect(await ask('')).toMatchObject({ status: 401, body: 'absent' })
  for (const field of ['Bearer', 'Basic YTpi', `${token} x`, `${token}, ${token}`]) {
    expect(await ask(field), field).toMatchObject({ status: 401, body: 'invalid' })
  }
  expect(await ask(token.replace('Bearer', 'bearer  '))).toMatchObject({ status: 200 })
})

test('a token without a key ID is valid where only one key can have signed it', async () => {
  const { provider, askWith } = await start()
  const token = await provider.sign({}, { kid: '' })
  expect(await askWith(token)).toMatchObject({ status: 200 })

  const other = await start()
  const second = await createKey('second')
  other.provider.state.keys = [other.provider.key.jwk, second.jwk]
  const ambiguous = await other.provider.sign({}, { kid: '' })
  expect(await other.askWith(ambiguous)).toMatchObject({ status: 401 })
})

test('keys are fetched once, again for an unknown key, and then not for half a minute', async () => {
  stopClocks()
  const { provider, askWith } = await start()
  const { state, sign } = provider
  const many = await Promise.all([1, 2, 3].map(async () => askWith(await sign())))
  expect(many.map(({ status }) => status)).toEqual([200, 200, 200])
  expect(state.fetched).toBe(1)

  const second = await createKey('second')
  const rotated = await sign({}, { kid: 'second' }, second.privateKey)
  vi.advanceTimersByTime(1)
  const early = await Promise.all([askWith(rotated), askWith(rotated)])
  expect(early.map(({ status }) => status)).toEqual([401, 401])
  expect(state.fetched).toBe(2)

  state.keys = [second.jwk]
  vi.advanceTimersByTime(29_000)
  expect(await askWith(rotated)).toMatchObject({ status: 401 })
  expect(await askWith(await sign())).toMatchObject({ status: 200 })
  expect(state.fetched).toBe(2)

  vi.advanceTimersByTime(2_000)
  expect(await askWith(rotated)).toMatchObject({ status: 200 })
  expect(await askWith(await sign())).toMatchObject({ status: 401 })
  expect(state.fetched).toBe(3)
})

test('keys are fetched again every ten minutes, and used for an hour without the provider', async () => {
  stopClocks()
  const { provider, askWith } = await start()
  const { state, sign } = provider
  const minutes = (count: number) => vi.advanceTimersByTime(count * 60_000)
  expect(await askWith(await sign())).toMatchObject({ status: 200 })
  minutes(9)
  expect(await askWith(await sign())).toMatchObject({ status: 200 })
  expect(state.fetched).toBe(1)

  const second = await createKey('second')
  state.keys = [provider.key.jwk, second.jwk]
  minutes(2)
  expect(await askWith(await sign())).toMatchObject({ status: 200 })
  await expect.poll(() => state.fetched).toBe(2)
  const signedBySecond = await sign({}, { kid: 'second' }, second.privateKey)
  expect(await askWith(signedBySecond)).toMatchObject({ status: 200 })
  expect(state.fetched).toBe(2)

  await provider.stop()
  minutes(59)
  expect(await askWith(await sign())).toMatchObject({ status: 200 })
  minutes(2)
  expect(await askWith(await sign())).toMatchObject({ status: 503 })
})

/** What a provider can do instead of responding as it should. */
const failures: Readonly<Record<string, (provider: IdentityProvider) => void>> = {
  'responds with HTML': ({ state }) => {
    state.respond = (_, response) => void response.end('<h1>Sign in</h1>')
  },
  'responds with status 500': ({ state }) => {
    state.respond = (_, response) => void response.writeHead(500).end('{}')
  },
  redirects: ({ state }) => {
    state.respond = (_, response) => void response.writeHead(302, { Location: '/elsewhere' }).end()
  },
  'responds with other JSON': ({ state }) => {
    state.respond = (_, response) => void response.end('[1]')
  },
  'responds with half of a document': ({ state }) => {
    state.respond = (_, response) => {
      response.writeHead(200, { 'Content-Length': 100 }).write('{', () => response.destroy())
    }
  },
  'responds without end': ({ state }) => {
    state.respond = (_, response) => {
      const writing = setInterval(() => response.write(' '.repeat(50_000)), 1)
      response.once('close', () => clearInterval(writing))
    }
  },
  'publishes keys that are none': ({ state }) => {
    // It publishes what it is given.
    state.keys = 'none' as unknown as []
  },
  'publishes 10,000 keys': ({ key, state }) => {
    state.keys = Array.from({ length: 10_000 }, (_, index) => ({ ...key.jwk, kid: `key ${index}` }))
  },
  'names no keys': ({ state }) => {
    state.metadata = { jwks_uri: undefined }
  },
  'names keys in a file': ({ state }) => {
    state.metadata = { jwks_uri: 'file:///keys.json' }
  },
  hangs: ({ state }) => {
    state.respond = () => undefined
  },
  'hangs in the middle': ({ state }) => {
    state.respond = (_, response) => void response.write('{')
  },
}

test.each(Object.entries(failures))(
  'a provider that %s: 503, not 401, and soon',
  async (_, fail) => {
    const { provider, askWith, logged } = await start()
    fail(provider)
    const token = await provider.sign()
    const unavailable = { status: 503, retryAfter: '1' }
    expect(await Promise.all([askWith(token), askWith(token)])).toMatchObject([
      unavailable,
      unavailable,
    ])
    // What needs no key to be rejected is.
    expect(await askWith('abc')).toMatchObject({ status: 401 })
    expect(logged.join('')).toContain('identity provider unavailable')
    expect(logged.join('')).not.toContain(token)

    provider.state.respond = undefined
    provider.state.keys = [provider.key.jwk]
    provider.state.metadata = {}
    await expect.poll(async () => (await askWith(token)).status).toBe(200)
  },
)

test('the issuer in tokens is the one that the discovery document names', async () => {
  const { provider, askWith } = await start()
  const iss = 'https://sts.example/'
  provider.state.metadata = { issuer: iss }
  expect(await askWith(await provider.sign({ iss }))).toMatchObject({ status: 200 })
  expect(await askWith(await provider.sign())).toMatchObject({ status: 401 })
})

test('a configured issuer has to be the one that its discovery document names', async () => {
  const provider = await startIdentityProvider()
  const { issuer, sign, state } = provider
  const other = await startServer(provider, issuer)
  state.metadata = { issuer: 'https://sts.example' }
  expect(await other.askWith(await sign())).toMatchObject({ status: 503 })
  expect(other.logged.join('')).toContain('is of another issuer: https://sts.example')

  const { askWith } = await startServer(provider, issuer)
  state.metadata = { issuer: `${issuer}/` }
  expect(await askWith(await sign({ iss: `${issuer}/` }))).toMatchObject({ status: 200 })
})

test('a provider that is not there: 503', async () => {
  const { provider, askWith } = await start()
  const token = await provider.sign()
  await provider.stop()
  expect(await askWith(token)).toMatchObject({ status: 503, retryAfter: '1' })
})

test('requests do not wait for a provider that is known to hang', async () => {
  stopClocks()
  const { provider, askWith } = await start()
  let asked = 0
  provider.state.respond = () => {
    asked++
  }
  const token = await provider.sign()
  const statuses: number[] = []
  for (let round = 0; round < 3; round++) {
    const responses = await Promise.all(Array.from({ length: 50 }, () => askWith(token)))
    statuses.push(...responses.map(({ status }) => status))
  }
  expect(new Set(statuses)).toEqual(new Set([503]))
  // The first attempt, which the requests of the first round have shared.
  expect(asked).toBe(1)

  vi.advanceTimersByTime(1_100)
  await Promise.all(Array.from({ length: 50 }, () => askWith(token)))
  expect(asked).toBe(2)
})

test('an unknown key while the provider hangs: 503, and known keys stay valid', async () => {
  const { provider, askWith } = await start()
  const { state, sign } = provider
  expect(await askWith(await sign())).toMatchObject({ status: 200 })
  const { privateKey } = await createKey('second')
  const unknown = await sign({}, { kid: 'second' }, privateKey)
  state.respond = () => undefined
  expect(await askWith(unknown)).toMatchObject({ status: 503 })
  expect(await askWith(unknown)).toMatchObject({ status: 503 })
  expect(await askWith(await sign())).toMatchObject({ status: 200 })
})

test('a key that is too short to be safe: 503', async () => {
  const { provider, askWith, logged } = await start()
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 1024 })
  provider.state.keys = [{ ...(await exportJWK(publicKey)), kid: 'short' }]
  const header = { alg: 'RS256', kid: 'short' }
  const parts = [header, {}].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
  const signature = createSign('sha256').update(parts.join('.')).sign(privateKey, 'base64url')
  const token = [...parts, signature].join('.')
  expect(await askWith(token)).toMatchObject({ status: 503 })
  expect(logged.join('')).toContain('a key cannot be used')
})
