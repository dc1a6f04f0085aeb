import { format, inspect } from 'node:util'
import { expect, test } from 'vitest'
import {
  sendBasic,
  sendBearer,
  sendInCookie,
  sendInHeader,
  sendInQuery,
} from '../../../client/credentials.ts'
import { ApiError } from '../../../client/errors.ts'
import { createSecuredClient, type SecuredClientOptions } from '../../../client/secured-client.ts'
import type { CallResult, RawClient } from '../../../client/types.ts'
import { baseUrl, reasonOf } from './support/client.ts'

/** Operations as `generated/calls.ts` has them where security is more than an API key as the bearer token. */
const bearer = { send: sendBearer }
const inQuery = { name: 'key', send: sendInQuery }
const inHeader = { name: 'X-Key', send: sendInHeader }
const calls = {
  getOpen: { method: 'get', path: '/open', security: [] },
  getToken: { method: 'get', path: '/token', security: [{ oauth: bearer }] },
  getBasic: { method: 'get', path: '/basic', security: [{ login: { send: sendBasic } }] },
  getHeader: { method: 'get', path: '/header', security: [{ header: inHeader }] },
  getQuery: { method: 'get', path: '/query', query: true, security: [{ query: inQuery }] },
  putQuery: { method: 'put', path: '/query', body: true, security: [{ query: inQuery }] },
  getCookie: {
    method: 'get',
    path: '/cookie',
    security: [{ cookie: { name: 'session', send: sendInCookie } }],
  },
  getAny: {
    method: 'get',
    path: '/any/{id}',
    security: [{ oauth: bearer, header: inHeader }, { query: inQuery }],
  },
  getOptional: { method: 'get', path: '/optional', security: [{}, { oauth: bearer }] },
} as const

type Result = Promise<unknown> & CallResult
interface Paths {
  readonly '/any/{id}': { readonly get: { readonly parameters: { readonly path: { id: number } } } }
}
interface Client extends RawClient<Paths> {
  getOpen(): Result
  getToken(): Result
  getBasic(): Result
  getHeader(): Result
  getQuery(query?: object, options?: object): Result
  putQuery(body: object): Result
  getCookie(options?: object): Result
  getAny(id: number): Result
  getOptional(): Result
}
type Options = SecuredClientOptions<typeof calls>

const secrets = {
  oauth: 'token-of-someone',
  login: { username: 'Zoë', password: 'pass wörd:1' },
  header: 'header-key',
  query: "query key's".replace(' ', '+'),
  cookie: 'cookie-key',
}
const encodedQuery = 'query%2Bkey%27s'
const basic = `Basic ${Buffer.from('Zoë:pass wörd:1').toString('base64')}`

function createClient(
  credentials: Options['credentials'],
  respond: (request: Request) => Response | Promise<Response> = () => Response.json({}),
) {
  const requests: Request[] = []
  const options: Options = {
    baseUrl,
    credentials,
    maxRetries: 0,
    fetch: async (request) => {
      requests.push(request)
      return respond(request)
    },
  }
  const client = createSecuredClient<Client, typeof calls>(options, calls, ApiError)
  return { client, requests }
}

/** Returns where a request has credentials. */
function sentBy({ url, headers }: Request) {
  const fields = ['authorization', 'x-key', 'cookie'].map((name) => headers.get(name))
  return [new URL(url).search, ...fields]
}

const none = ['', null, null, null]

test.each<[string, (client: Client) => Promise<unknown>, unknown[]]>([
  ['none', (client) => client.getOpen(), none],
  ['a token', (client) => client.getToken(), ['', `Bearer ${secrets.oauth}`, null, null]],
  ['a password', (client) => client.getBasic(), ['', basic, null, null]],
  ['a header', (client) => client.getHeader(), ['', null, secrets.header, null]],
  ['a query', (client) => client.getQuery(), [`?key=${encodedQuery}`, null, null, null]],
  [
    'a query beside others',
    (client) => client.getQuery({ a: 'b c' }),
    [`?a=b%20c&key=${encodedQuery}`, null, null, null],
  ],
  ['a cookie', (client) => client.getCookie(), ['', null, null, `session=${secrets.cookie}`]],
  [
    'a cookie beside others',
    (client) => client.getCookie({ headers: { Cookie: 'a=b' } }),
    ['', null, null, `a=b; session=${secrets.cookie}`],
  ],
  [
    'two at once',
    (client) => client.getAny(1),
    ['', `Bearer ${secrets.oauth}`, secrets.header, null],
  ],
  [
    'an optional token',
    (client) => client.getOptional(),
    ['', `Bearer ${secrets.oauth}`, null, null],
  ],
  [
    'two at once of raw',
    (client) => client.raw.GET('/any/{id}', { params: { path: { id: 1 } } }),
    ['', `Bearer ${secrets.oauth}`, secrets.header, null],
  ],
])('a call sends the credentials that its operation requires: %s', async (_, call, sent) => {
  const { client, requests } = createClient(secrets)
  await call(client)
  expect(requests.map(sentBy)).toEqual([sent])
})

test('a request with a key in its query keeps its method and its body', async () => {
  const { client, requests } = createClient(secrets)
  await client.putQuery({ name: 'Ryoba' })
  const [request] = requests
  expect(request).toMatchObject({ method: 'PUT', redirect: 'manual' })
  expect(request?.headers.get('content-type')).toBe('application/json')
  expect(await request?.json()).toEqual({ name: 'Ryoba' })
})

test('of alternatives, a call sends the first whose credentials are all given', async () => {
  const { client, requests } = createClient({ oauth: secrets.oauth, query: secrets.query })
  await client.getAny(1)
  expect(requests.map(sentBy)).toEqual([[`?key=${encodedQuery}`, null, null, null]])
})

test('a call without the credentials that its operation requires is a TypeError, and nothing is sent', async () => {
  const { client, requests } = createClient({ header: secrets.header })
  expect(await reasonOf(client.getAny(1))).toEqual(
    new TypeError('getAny needs credentials: oauth and header, or query.'),
  )
  await client.getOptional()
  expect(requests.map(sentBy)).toEqual([none])
})

test('credentials may be functions, which are called for every attempt', async () => {
  let count = 0
  const { client, requests } = createClient({
    oauth: async () => `token-${++count}`,
    login: () => secrets.login,
  })
  await client.getToken()
  await client.getToken()
  await client.getBasic()
  const sent = requests.map(({ headers }) => headers.get('authorization'))
  expect(sent).toEqual(['Bearer token-1', 'Bearer token-2', basic])
})

test.each<[string, unknown, string]>([
  [
    'an unknown scheme',
    { apiKey: 'hush-hush' },
    'The client has no security scheme apiKey. Allowed: ',
  ],
  ['an empty token', { oauth: '' }, 'credentials.oauth is empty'],
  [
    'a token of two lines',
    { oauth: 'hush\nhush' },
    'credentials.oauth must be a string of visible',
  ],
  ['a text as a password', { login: 'hush' }, 'credentials.login must have a username'],
  ['a colon in a user name', { login: { username: 'hush:', password: '' } }, 'without a colon'],
  ['a text', 'hush', 'credentials must be an object'],
])('%s is a TypeError that does not show it', async (_, credentials, message) => {
  const create = async () =>
    Reflect.apply(createSecuredClient, undefined, [{ baseUrl, credentials }, calls, ApiError])
  const error = await reasonOf(create())
  expect(error).toBeInstanceOf(TypeError)
  expect(error).toHaveProperty('message', expect.stringContaining(message))
  expect(inspect(error, { showHidden: true })).not.toContain('hush')
})

test.each<[string, (client: Client) => Promise<unknown>]>([
  ['a token', (client) => client.getToken()],
  ['a password', (client) => client.getBasic()],
  ['a header', (client) => client.getHeader()],
  ['a query', (client) => client.getQuery()],
  ['a cookie', (client) => client.getCookie()],
])('no error contains the credentials: %s', async (_, call) => {
  const told = (request: Request) => `${request.url} ${[...request.headers].join(' ')}`
  const failing = createClient(secrets, async (request) => {
    throw new TypeError(`fetch of ${told(request)} failed`, { cause: new Error(told(request)) })
  })
  const echoing = createClient(secrets, (request) => {
    const body = { code: 'not_found', message: told(request), status: 404 }
    return Response.json(body, { status: 404 })
  })

  for (const { client } of [failing, echoing]) {
    const error = await reasonOf(call(client))
    expect(error).toBeInstanceOf(ApiError)
    const shown = `${format(error)} ${inspect(error, { depth: 9, showHidden: true })}`
    expect(shown).toContain('[redacted]')
    const texts = [
      ...[secrets.oauth, secrets.header, secrets.cookie, secrets.query, encodedQuery],
      ...[secrets.login.password, basic.slice('Basic '.length)],
    ]
    for (const text of texts) {
      expect(shown).not.toContain(text)
    }
  }
})

test('the types of credentials are those of the security schemes', () => {
  const accept = (_options: Partial<Options>) => undefined
  accept({ credentials: { oauth: 'a', login: async () => secrets.login } })
  // @ts-expect-error There is no such scheme.
  accept({ credentials: { apiKey: 'a' } })
  // @ts-expect-error A password has a user name.
  accept({ credentials: { login: 'a' } })
  // @ts-expect-error An API key is no option where the description has other schemes.
  accept({ apiKey: 'a' })
})
