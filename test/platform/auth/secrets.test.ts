import { expect, test } from 'vitest'
import type { Authenticator, CredentialSource } from '../../../server/served-api.ts'
import { startServiceOf } from '../../helpers/service.ts'
import { startCollector } from '../ops/support/collector.ts'
import { createDescribedApi } from './support/described-api.ts'

/** Credentials that have not the form of API keys, which every line of the log is searched for. */
const secrets = {
  query: 'opensesame',
  cookie: 'swordfish',
  header: 'abracadabra',
  bearer: 'plughxyzzy',
  // The user `ada` with the password `correcthorse`.
  basic: 'YWRhOmNvcnJlY3Rob3JzZQ==',
}

type Read = (source: CredentialSource) => string | undefined

/** Returns an authenticator that accepts one secret, and fails on another one. */
function accept(secret: string, read: Read): Authenticator {
  return {
    credential: 'secret',
    challenge: 'Secret',
    advice: 'Send the secret.',
    async authenticate(source) {
      const sent = read(source)
      if (sent === undefined) {
        return 'absent'
      }
      if (sent === `${secret}-fails`) {
        throw new Error('It fails.')
      }
      const quota = { perMinute: 1_000, perDay: 1_000 }
      const caller = { id: 'a-caller', quota, scopes: new Set(['a']), claims: {} }
      return sent === secret ? caller : 'invalid'
    },
  }
}

/** Returns what follows the name of the scheme in the `Authorization` header. */
function readAuthorization({ headers }: CredentialSource): string | undefined {
  return headers['authorization']?.[0]?.split(' ')[1]
}

function createApi() {
  const paths = Object.keys(secrets).map((name) => [`/${name}`, [{ [name]: ['a'] }]] as const)
  return createDescribedApi({
    securitySchemes: {
      query: { type: 'apiKey', in: 'query', name: 'key' },
      cookie: { type: 'apiKey', in: 'cookie', name: 'session' },
      header: { type: 'apiKey', in: 'header', name: 'X-Secret' },
      bearer: { type: 'http', scheme: 'bearer' },
      basic: { type: 'http', scheme: 'basic' },
    },
    paths: { ...Object.fromEntries(paths), '/lacking': [{ query: ['b'] }] },
    createAuthenticators: () => ({
      query: accept(secrets.query, (source) => source.queryValues('key')[0]),
      cookie: accept(secrets.cookie, (source) => source.cookieValues('session')[0]),
      header: accept(secrets.header, ({ headers }) => headers['x-secret']?.[0]),
      bearer: accept(secrets.bearer, readAuthorization),
      basic: accept(secrets.basic, readAuthorization),
    }),
  })
}

/** Requests with each secret, right, wrong and at a fault, and their statuses. */
function requestsWith(secret: keyof typeof secrets) {
  const value = secrets[secret]
  const send = (text: string, path = `/${secret}`) => {
    const sent = {
      query: { path: `${path}?key=${text}`, headers: {} },
      cookie: { path, headers: { Cookie: `session=${text}` } },
      header: { path, headers: { 'X-Secret': text } },
      bearer: { path, headers: { Authorization: `Bearer ${text}` } },
      basic: { path, headers: { Authorization: `Basic ${text}` } },
    }
    return sent[secret]
  }
  return [
    [send(value), 200],
    [send(`${value}-wrong`), 401],
    [send(`${value}-fails`), 500],
    [send(value, '/nothing'), 404],
    [send(`${value}%00`), 401],
  ] as const
}

test('secrets in a query, a cookie or a header, tokens and passwords are in no line of the log, span, metric or response', async () => {
  const collector = await startCollector(false)
  const environment = {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OPS_PORT: '0',
    LOG_LEVEL: 'trace',
  }
  const service = await startServiceOf(await createApi(), environment)
  const responses: string[] = []
  const ask = async (path: string, headers: Readonly<Record<string, string>>) => {
    const response = await service.ask(`/v1${path}`, { key: '', headers })
    responses.push(JSON.stringify(response))
    return response.status
  }
  for (const secret of ['query', 'cookie', 'header', 'bearer', 'basic'] as const) {
    for (const [{ path, headers }, status] of requestsWith(secret)) {
      expect(await ask(path, headers), `${path} ${JSON.stringify(headers)}`).toBe(status)
    }
  }
  expect(await ask(`/lacking?key=${secrets.query}`, {})).toBe(403)
  expect(await ask(`/query?key=${secrets.query}&more=1`, {})).toBe(400)
  const metrics = await (await fetch(service.metricsUrl)).text()
  await service.stop()

  const { requestLines, logged } = service
  const written = [requestLines, logged, collector.received, responses].map((each) =>
    JSON.stringify(each),
  )
  expect(requestLines.map(({ keyId }) => keyId)).toContain('a-caller')
  expect(collector.spans().map(({ attributes }) => attributes['api.key_id'])).toContain('a-caller')
  for (const secret of [...Object.values(secrets), 'correcthorse']) {
    expect([...written, metrics].join('\n')).not.toContain(secret)
  }
})

test('the digest of a request, its links and its parameters are without the secret of its query', async () => {
  const service = await startServiceOf(
    await createDescribedApi({
      securitySchemes: { query: { type: 'apiKey', in: 'query', name: 'key' } },
      paths: { '/a': [{ query: [] }] },
      createAuthenticators: ({ apiKeys }) => ({ query: apiKeys('query') }),
    }),
  )
  const { apiKey, ask, issue } = service
  const { key: other } = await issue()
  const one = await ask(`/v1/a?key=${apiKey}`, { key: '' })
  const two = await ask(`/v1/a?key=${other}`, { key: '' })
  expect(one).toMatchObject({ status: 200, href: '/v1/a', query: {} })
  expect(one['fingerprint']).toBe(two['fingerprint'])
  expect(one['callerId']).not.toBe(two['callerId'])
})

test('a parameter that repeats a security scheme reaches its handler, and no link or digest', async () => {
  const api = await createDescribedApi({
    securitySchemes: { query: { type: 'apiKey', in: 'query', name: 'key' } },
    paths: { '/a': [{ query: [] }] },
    parameters: [{ name: 'key', in: 'query', schema: { type: 'string' } }],
    createAuthenticators: ({ apiKeys }) => ({ query: apiKeys('query') }),
  })
  const { apiKey, ask, issue } = await startServiceOf(api)
  const { key: other } = await issue()
  const one = await ask(`/v1/a?key=${apiKey}`, { key: '' })
  const two = await ask(`/v1/a?key=${other}`, { key: '' })
  expect(one).toMatchObject({ status: 200, href: '/v1/a', query: { key: apiKey } })
  expect(one['fingerprint']).toBe(two['fingerprint'])
})
