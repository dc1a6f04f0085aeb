import { expect, test } from 'vitest'
import { ApiError } from '../../../server/contract/errors.ts'
import type { Api, Authenticator, CredentialSource } from '../../../server/served-api.ts'
import { startServiceOf } from '../../helpers/service.ts'
import { createDescribedApi } from './support/described-api.ts'

const quota = { perMinute: 1_000, perDay: 1_000 }

/** Returns the credentials of a scheme in `Authorization`. */
function readField({ headers }: CredentialSource, scheme: string): string | undefined {
  const [field = ''] = headers['authorization'] ?? []
  return field.startsWith(`${scheme} `) ? field.slice(scheme.length + 1) : undefined
}

/** How often the authenticator of tokens was called. */
let tokensChecked = 0

/** Accepts tokens such as `ann:a,b`, which has the scopes a and b. */
const tokens: Authenticator = {
  credential: 'token',
  challenge: 'Bearer realm="tests"',
  advice: 'Send a token.',
  async authenticate(source) {
    tokensChecked++
    const token = readField(source, 'Bearer')
    if (token === 'down') {
      const headers = { 'Retry-After': 7 }
      throw new ApiError({ status: 503, code: 'unavailable' }, 'Later.', { headers })
    }
    if (token === undefined) {
      return 'absent'
    }
    const [id = '', scopes] = token.split(':')
    if (scopes === undefined) {
      return 'invalid'
    }
    const list = scopes.split(',').filter(Boolean)
    return { id, quota, scopes: new Set(list), claims: { sub: id } }
  },
}

const passwords: Authenticator = {
  credential: 'password',
  challenge: 'Basic realm="tests"',
  advice: 'Send a password.',
  async authenticate(source) {
    const sent = readField(source, 'Basic')
    if (sent === undefined) {
      return 'absent'
    }
    return sent === 'good' ? { id: 'bob', quota, scopes: undefined, claims: {} } : 'invalid'
  },
}

const securitySchemes = {
  header: { type: 'apiKey', in: 'header', name: 'X-Key' },
  query: { type: 'apiKey', in: 'query', name: 'key' },
  cookie: { type: 'apiKey', in: 'cookie', name: 'session' },
  token: { type: 'openIdConnect', openIdConnectUrl: 'https://a.example/.well-known/openid' },
  password: { type: 'http', scheme: 'basic' },
}

const createAuthenticators: Api['createAuthenticators'] = ({ apiKeys }) => ({
  header: apiKeys('header'),
  query: apiKeys('query'),
  cookie: apiKeys('cookie'),
  token: tokens,
  password: passwords,
})

const paths = {
  '/usual': undefined,
  '/public': [],
  '/empty': [{}],
  '/combined': [{ header: [], token: ['a'] }],
  '/either': [{ header: [] }, { token: ['a', 'b'] }],
  '/token-or-password': [{ token: ['a'] }, { password: [] }],
  '/optional': [{}, { token: ['a'] }],
  '/query': [{ query: [] }],
  '/cookie': [{ cookie: [] }],
  '/cookie-or-none': [{ cookie: [] }, {}],
  '/scopes': [{ token: ['a', 'b'] }],
  '/odd-scope': [{ token: ['漢字', 'b', 'say "a"'] }],
  '/twice': [{ token: ['a'] }, { token: ['b'] }, { token: [], header: [] }],
}

/** Starts a service on an API with each form of a requirement. */
async function startAll() {
  const security = [{ header: [] }]
  const described = { securitySchemes, security, paths, createAuthenticators }
  return startServiceOf(await createDescribedApi(described))
}

type Sent = Readonly<Record<string, string>>

/** What is sent, where KEY stands for a valid API key, and a part of the response. */
type Row = readonly [path: string, sent: Sent, shown: Readonly<Record<string, unknown>>]

const apiKeyInHeader = 'ApiKey in="header", name="x-key"'
const bearer = 'Bearer realm="tests"'
const invalidBearer = `${bearer}, error="invalid_token"`

const accepted = (callerId: string | null, more = {}) => ({ status: 200, callerId, ...more })
const missing = (challenge: string) => {
  return { status: 401, code: 'missing_api_key', 'www-authenticate': challenge }
}
const invalid = (challenge: string) => {
  return { status: 401, code: 'invalid_api_key', 'www-authenticate': challenge }
}
const lacking = (scopes: string) => {
  const challenge = `${bearer}, error="insufficient_scope", scope="${scopes}"`
  return { status: 403, code: 'insufficient_scope', 'www-authenticate': challenge }
}
const unavailable = { status: 503, code: 'unavailable', 'retry-after': '7' }

const key = { 'X-Key': 'KEY' }
const token = (text: string) => ({ Authorization: `Bearer ${text}` })
const password = (text: string) => ({ Authorization: `Basic ${text}` })

const rows: readonly Row[] = [
  // A header field cannot name every scope that a description may have.
  ['/odd-scope', token('ann:a'), lacking('b')],
  // The requirements of all operations, and their overrides.
  ['/usual', key, accepted('KEY')],
  ['/usual', {}, missing(apiKeyInHeader)],
  ['/usual', { 'X-Key': 'wrong' }, invalid(apiKeyInHeader)],
  ['/usual', { 'X-Key': '' }, missing(apiKeyInHeader)],
  ['/usual', token('ann:a'), missing(apiKeyInHeader)],
  ['/public', {}, accepted(null)],
  // Whatever credentials are sent: a client logs in again with its expired token.
  ['/public', token('ann:'), accepted(null)],
  ['/public', key, accepted(null)],
  ['/public', token('wrong'), accepted(null)],
  ['/public', password('bad'), accepted(null)],
  ['/public', token('down'), accepted(null)],
  ['/public', { 'X-Key': 'wrong', Cookie: 'session=old' }, accepted(null)],
  ['/public?key=wrong', {}, accepted(null, { query: {} })],
  ['/empty', token('wrong'), accepted(null)],

  // Combinations: the first scheme says who calls, and all say what may be done.
  [
    '/combined',
    { ...key, ...token('ann:a') },
    accepted('KEY', { scopes: ['a'], claims: { sub: 'ann' } }),
  ],
  ['/combined', key, missing(`${apiKeyInHeader}, ${bearer}`)],
  ['/combined', token('ann:a'), missing(`${apiKeyInHeader}, ${bearer}`)],
  ['/combined', { ...key, ...token('wrong') }, invalid(`${apiKeyInHeader}, ${invalidBearer}`)],
  ['/combined', { ...key, ...token('ann:b') }, lacking('a')],
  ['/combined', { ...key, ...token('down') }, unavailable],
  ['/combined', token('down'), missing(`${apiKeyInHeader}, ${bearer}`)],

  // Alternatives: the first one that is met.
  ['/either', { ...key, ...token('ann:a,b') }, accepted('KEY')],
  ['/either', { 'X-Key': 'wrong', ...token('ann:a,b') }, accepted('ann')],
  ['/either', { ...key, ...token('down') }, accepted('KEY')],
  ['/either', { 'X-Key': 'wrong', ...token('down') }, unavailable],
  ['/either', { 'X-Key': 'wrong', ...token('ann:a') }, lacking('a b')],
  ['/token-or-password', password('good'), accepted('bob')],
  ['/token-or-password', password('bad'), invalid(`${bearer}, Basic realm="tests"`)],
  ['/token-or-password', token('wrong'), invalid(`${invalidBearer}, Basic realm="tests"`)],
  ['/token-or-password', {}, missing(`${bearer}, Basic realm="tests"`)],

  // Optional.
  ['/optional', {}, accepted(null)],
  ['/optional', token('ann:a'), accepted('ann')],
  ['/optional', token('ann:b'), accepted(null)],
  ['/optional', token('wrong'), invalid(invalidBearer)],
  ['/optional', token('down'), accepted(null)],

  // Places.
  ['/query?key=KEY', {}, accepted('KEY', { query: {}, href: '/v1/query' })],
  ['/query?%6Bey=KEY', {}, accepted('KEY')],
  ['/query?key=KEY&key=KEY', {}, invalid('ApiKey in="query", name="key"')],
  ['/query?key=%ff', {}, invalid('ApiKey in="query", name="key"')],
  ['/query?key=', {}, missing('ApiKey in="query", name="key"')],
  ['/query', key, missing('ApiKey in="query", name="key"')],
  [
    '/query?key=KEY&other=1',
    {},
    { status: 400, details: [expect.objectContaining({ path: '/query/other' })] },
  ],
  ['/cookie', { Cookie: 'theme=dark; session=KEY' }, accepted('KEY')],
  ['/cookie', { Cookie: 'session=old' }, invalid('ApiKey in="cookie", name="session"')],
  ['/cookie', {}, missing('ApiKey in="cookie", name="session"')],
  ['/cookie-or-none', { Cookie: 'session=old' }, accepted(null)],

  // Scopes: none, a part, all, and more.
  ['/scopes', token('ann:'), lacking('a b')],
  ['/scopes', token('ann:b'), lacking('a b')],
  ['/scopes', token('ann:a,b'), accepted('ann', { scopes: ['a', 'b'] })],
  ['/scopes', token('ann:a,b,c'), accepted('ann')],

  // An operation is public: what exists is no secret.
  ['/nothing', {}, { status: 404, code: 'not_found' }],
  ['/nothing', token('wrong'), { status: 401, code: 'invalid_api_key' }],
]

test('each form of a requirement is met by what OpenAPI says, and rejects everything else', async () => {
  const { ask, apiKey, store } = await startAll()
  const [{ id = '' } = {}] = await store.keys.list()
  const fill = (text: string) => text.replaceAll('KEY', apiKey)
  for (const [path, sent, shown] of rows) {
    const filled = Object.entries(sent).map(([name, value]) => [name, fill(value)] as const)
    const response = await ask(`/v1${fill(path)}`, { key: '', headers: Object.fromEntries(filled) })
    const expected = shown['callerId'] === 'KEY' ? { ...shown, callerId: id } : shown
    expect(response, `${path} ${JSON.stringify(sent)}`).toMatchObject(expected)
  }
})

test('an authenticator runs once for a request, however many alternatives need it', async () => {
  const { ask } = await startAll()
  tokensChecked = 0
  const sent = { key: '', headers: token('ann:c') }
  expect(await ask('/v1/twice', sent)).toMatchObject({ status: 403, code: 'insufficient_scope' })
  expect(tokensChecked).toBe(1)
})

test('a 401 is about the scheme that was sent in Authorization, if it is accepted there', async () => {
  const { ask } = await startServiceOf(
    await createDescribedApi({
      securitySchemes: { ...securitySchemes, key: { type: 'http', scheme: 'bearer' } },
      paths: {
        '/either': [{ token: [] }, { password: [] }],
        '/three': [{ token: [] }, { header: [] }, { password: [] }],
        '/key': [{ key: [] }],
      },
      createAuthenticators: (builtIns) => ({
        ...createAuthenticators(builtIns),
        key: builtIns.apiKeys('key'),
        token: builtIns.tokens('token'),
        password: builtIns.basic('password', async () => undefined),
      }),
    }),
  )
  const wrongPassword = password(Buffer.from('ada:wrong').toString('base64'))
  const wrongKey = { 'X-Key': 'wrong' }
  for (const [path, headers, message, challenge] of [
    ['/either', wrongPassword, 'The password is not valid.', /^Bearer, Basic realm/],
    ['/either', password('!'), 'The password is not valid.', /^Bearer, Basic realm/],
    ['/either', token('x'), 'The token is not valid.', /^Bearer error="invalid_token", Basic /],
    [
      '/either',
      { Authorization: 'Digest x' },
      'The token or password is not valid.',
      /^Bearer err/,
    ],
    ['/three', { ...wrongKey, ...wrongPassword }, 'The API key or password is not valid.', /Basic/],
    ['/three', { ...wrongKey, ...token('x') }, 'The token or API key is not valid.', /Basic/],
    ['/key', wrongPassword, 'The API key is not valid.', /^Bearer error="invalid_token"$/],
  ] as const) {
    const response = await ask(`/v1${path}`, { key: '', headers })
    expect(response, `${path} ${JSON.stringify(headers)}`).toMatchObject({
      status: 401,
      code: 'invalid_api_key',
      message,
      'www-authenticate': expect.stringMatching(challenge),
    })
  }
})

test('a public operation calls no authenticator', async () => {
  const { ask } = await startAll()
  tokensChecked = 0
  for (const path of ['/v1/public', '/v1/empty']) {
    const response = await ask(path, { key: '', headers: token('ann:') })
    expect(response).toMatchObject({ status: 200, 'x-ratelimit-limit': '60' })
  }
  expect(tokensChecked).toBe(0)
})

test('paths that do not exist need the credentials of any operation if every operation is secured', async () => {
  const secured = { '/a': [{ header: [], token: ['a'] }], '/b': [{ password: [] }] }
  const closed = await createDescribedApi({ securitySchemes, paths: secured, createAuthenticators })
  const { ask } = await startServiceOf(closed)
  const challenge = `${apiKeyInHeader}, ${bearer}, Basic realm="tests"`
  expect(await ask('/v1/nothing', { key: '' })).toMatchObject(missing(challenge))
  const known = { key: '', headers: password('good') }
  expect(await ask('/v1/nothing', known)).toMatchObject({ status: 404 })
})

test('an API without security schemes serves every client, with the limit of its address', async () => {
  const described = {
    securitySchemes: {},
    paths: { '/a': undefined },
    createAuthenticators: () => ({}),
  }
  const { ask } = await startServiceOf(await createDescribedApi(described), {
    ANONYMOUS_PER_MINUTE: '1',
  })
  expect(await ask('/v1/a', { key: '' })).toMatchObject({ status: 200, callerId: null })
  const message = expect.stringMatching(/^The limit of 1 requests per minute is reached\./)
  expect(await ask('/v1/nothing')).toMatchObject({ status: 429, message })
})

test('of combined credentials, the first scheme has the ID, and its claims before those of the others', async () => {
  const accept = (id: string, scope: string, claims: object): Authenticator => ({
    ...tokens,
    authenticate: async () => ({ id, quota, scopes: new Set([scope]), claims: { ...claims } }),
  })
  const combined = await createDescribedApi({
    securitySchemes,
    paths: { '/a': [{ token: [], password: [] }], '/b': [{ password: [], token: [] }] },
    createAuthenticators: (options) => ({
      ...createAuthenticators(options),
      token: accept('ann', 'a', { sub: 'ann', shelf: 1 }),
      password: accept('bob', 'b', { sub: 'bob', level: 2 }),
    }),
  })
  const { ask } = await startServiceOf(combined)
  const claims = { shelf: 1, level: 2 }
  expect(await ask('/v1/a')).toMatchObject({
    ...accepted('ann', { scopes: ['a', 'b'] }),
    claims: { ...claims, sub: 'ann' },
  })
  expect(await ask('/v1/b')).toMatchObject({
    ...accepted('bob', { scopes: ['b', 'a'] }),
    claims: { ...claims, sub: 'bob' },
  })
})

test('a preflight allows the headers in which credentials are sent, each once', async () => {
  const names = ['X-Key', 'content-type', 'X-REQUEST-ID', 'Y']
  const parameters = names.map((name) => ({ name, in: 'header', schema: { type: 'string' } }))
  const secured = { '/a': [{ header: [] }] }
  const described = { securitySchemes, paths: secured, parameters, createAuthenticators }
  const origin = 'https://app.example'
  const { ask } = await startServiceOf(await createDescribedApi(described), {
    CORS_ORIGINS: origin,
  })
  const headers = { Origin: origin, 'Access-Control-Request-Method': 'GET' }
  expect(await ask('/v1/a', { method: 'OPTIONS', key: '', headers })).toMatchObject({
    'access-control-allow-headers': 'Authorization, Content-Type, X-Request-Id, x-key, Y',
  })
})

test('callers without an API key have limits and bans of their own, and messages name what they have', async () => {
  const few: Authenticator = {
    ...tokens,
    async authenticate(source) {
      const id = readField(source, 'Bearer')
      const limits = { perMinute: 1, perDay: 10 }
      return id === undefined ? 'absent' : { id, quota: limits, scopes: undefined, claims: {} }
    },
  }
  const limited = await createDescribedApi({
    securitySchemes: { token: securitySchemes.token },
    paths: { '/a': [{ token: [] }] },
    createAuthenticators: () => ({ token: few }),
  })
  const { ask } = await startServiceOf(limited, { BAN_AFTER: '2', ANONYMOUS_PER_MINUTE: '1' })
  const askAs = (name: string) => ask('/v1/a', { key: '', headers: token(name) })
  expect(await askAs('ann')).toMatchObject({ status: 200, 'x-ratelimit-limit': '1' })
  expect(await askAs('ann')).toMatchObject({ status: 429, code: 'rate_limited' })
  const banned = { status: 429, code: 'api_key_banned' }
  const message = expect.stringMatching(/^The token is banned /)
  expect(await askAs('ann')).toMatchObject({ ...banned, message })
  expect(await askAs('bob')).toMatchObject({ status: 200 })
  expect(await ask('/v1/a', { key: '' })).toMatchObject({ status: 401 })
  const anonymous = expect.stringMatching(/ 1 requests per minute without a valid token is reached/)
  expect(await ask('/v1/a', { key: '' })).toMatchObject({ status: 429, message: anonymous })
})
