import { expect, test } from 'vitest'
import { type Config, readConfig } from '../../../server/config.ts'
import { OperatorError } from '../../../server/operator-error.ts'

// A test of docs/configuration.md compares them with its tables.
const defaults = readConfig({})
const { connections } = defaults

/** The lines that tell what is wrong with an environment. */
function problemsOf(environment: Readonly<Record<string, string>>): string[] {
  try {
    readConfig(environment)
    return []
  } catch (error) {
    if (error instanceof OperatorError) return error.message.split('\n')
    throw error
  }
}

/** A variable with a value that is accepted, what it changes, a value that is rejected, and what is allowed. */
type Row = readonly [
  name: string,
  accepted: string,
  changes: Partial<Config>,
  rejected: string,
  allowed: string,
]

const from = (least: number, most: number) => `a whole number from ${least} to ${most}`
const limited = (name: keyof typeof connections, value: number) => ({
  connections: { ...connections, [name]: value },
})
const databaseUrl = 'sqlite:FILE, sqlite::memory:, or postgres://USER:PASSWORD@HOST:PORT/DATABASE'
const redisUrl =
  'redis://HOST:PORT/NUMBER, or rediss://… for TLS, with USER:PASSWORD@ where Redis asks for it'
const origins = 'a comma list of origins such as https://app.example, without a path'
const endpoint = 'http://HOST:PORT or https://HOST:PORT, with a path where there is one'
const levels = 'trace, debug, info, warn, error, fatal, silent'
const twoOrigins = ['https://a.example', 'http://localhost:8080']

const variables: readonly Row[] = [
  ['PORT', '0', { port: 0 }, '65536', from(0, 65_535)],
  ['OPS_PORT', 'off', { opsPort: 'off' }, 'on', `${from(0, 65_535)}, or off`],
  ['DATABASE_URL', 'sqlite:a b', { databaseUrl: 'sqlite:a b' }, 'data/a.sqlite', databaseUrl],
  ['DATABASE_POOL_SIZE', '25', { databasePoolSize: 25 }, '0', from(1, 1_000)],
  ['REDIS_URL', 'redis://db/1', { redisUrl: 'redis://db/1' }, 'localhost:6379', redisUrl],
  ['LOG_LEVEL', 'silent', { logLevel: 'silent' }, 'INFO', levels],
  ['TRUST_PROXY', '2', { trustProxy: 2 }, 'true', from(0, 32)],
  ['CORS_ORIGINS', twoOrigins.join(', '), { corsOrigins: twoOrigins }, '*', origins],
  ['RATE_LIMITS', 'off', { rateLimits: false }, 'false', 'on, off'],
  ['ANONYMOUS_PER_MINUTE', '1', { anonymousPerMinute: 1 }, '0', 'a whole number from 1'],
  ['BAN_AFTER', '3', { banAfter: 3 }, '0', 'a whole number from 1'],
  ['BAN_SECONDS', '86400', { banSeconds: 86_400 }, '86401', from(1, 86_400)],
  ['IDEMPOTENCY_HOURS', '8760', { idempotencyHours: 8_760 }, '0', from(1, 8_760)],
  ['RESPONSE_VALIDATION', 'log', { responseValidation: 'log' }, 'off', 'strict, log'],
  ['OVERLOAD_WAIT_MS', '60000', { overloadWaitMs: 60_000 }, '0', from(1, 60_000)],
  ['REQUESTS_AT_ONCE', '1', { requestsAtOnce: 1 }, '0', from(1, 100_000)],
  ['SHUTDOWN_GRACE_SECONDS', '0', { shutdownGraceSeconds: 0 }, '3601', from(0, 3_600)],
  [
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    'https://user:pass@otel.example/base/',
    { tracesEndpoint: 'https://user:pass@otel.example/base/' },
    'http://otel.example/?a=b',
    endpoint,
  ],
  [
    'OTEL_TRACES_SAMPLER_ARG',
    '0.05',
    { tracesShare: 0.05 },
    '1.1',
    'a number from 0 to 1, such as 0.1',
  ],
  ['MAX_CONNECTIONS', '1', limited('most', 1), '0', from(1, 1_000_000)],
  ['MAX_CONNECTIONS_PER_ADDRESS', '1', limited('perAddress', 1), 'all', from(1, 1_000_000)],
  ['HEADERS_SECONDS', '3600', limited('headersSeconds', 3_600), '0', from(1, 3_600)],
  ['REQUEST_SECONDS', '1', limited('requestSeconds', 1), '0.5', from(1, 3_600)],
  ['EXCHANGE_SECONDS', '1', limited('exchangeSeconds', 1), '3601', from(1, 3_600)],
  ['IDLE_SECONDS', '1', limited('idleSeconds', 1), '0', from(1, 3_600)],
]

test('empty and unknown variables change no default', () => {
  const empty = Object.fromEntries(variables.map(([name]) => [name, '']))
  for (const environment of [empty, { SOMETHING_ELSE: 'x' }, { NODE_ENV: 'test' }]) {
    expect(readConfig(environment)).toEqual(defaults)
  }
})

test('each variable accepts its values and rejects others with what is allowed, all at once', () => {
  for (const [name, value, changes] of variables) {
    expect(readConfig({ [name]: value }), `${name}=${value}`).toEqual({ ...defaults, ...changes })
  }
  const problems = problemsOf(Object.fromEntries(variables.map(([name, , , bad]) => [name, bad])))
  const lines = variables.map(([name, , , bad, allowed]) => {
    return `${name} is ${JSON.stringify(bad)}. Allowed: ${allowed}.`
  })
  expect(problems.sort()).toEqual(lines.sort())
  const texts = { HOST: '::1', OPS_HOST: '0.0.0.0', OTEL_SERVICE_NAME: 'stock' }
  const read = { host: '::1', opsHost: '0.0.0.0', serviceName: 'stock' }
  expect(readConfig({ ...texts, NODE_ENV: 'production' })).toMatchObject({
    ...read,
    isProduction: true,
  })
})

/** Forms of a value that are accepted, and those that are rejected. */
const forms: readonly (readonly [
  name: string,
  accepted: readonly string[],
  rejected: readonly string[],
])[] = [
  ['PORT', ['65535'], ['-1', '+1', '1.0', '1e3', '0x50', ' 80', 'http', '9'.repeat(20)]],
  [
    'DATABASE_URL',
    [
      'sqlite::memory:',
      'sqlite:///var/a.db',
      'postgres://keeper:s3cr%40t@db.example:5433/stock?sslmode=disable',
      'postgresql://127.0.0.1/stock',
      'postgres:///stock?host=/run/postgresql',
    ],
    [
      'sqlite:',
      'sqlite://data/store.sqlite',
      'mysql://host/db',
      'postgres:stock',
      'postgres://db.example',
      'postgres://db.example:70000/stock',
      'postgres://db%zz.example/stock',
      'postgres://db.example/%zz',
    ],
  ],
  [
    'REDIS_URL',
    ['redis://[::1]:6379/0', 'redis://:p%40ss@redis.example:6380/15', 'rediss://user:pass@db/'],
    ['http://localhost', 'redis:localhost', 'redis://', 'redis://a:70000', 'redis://a/0?b=5'],
  ],
  ['CORS_ORIGINS', ['https://a.example'], ['null', 'https://a.example/', 'https://a.example,']],
  ['OTEL_EXPORTER_OTLP_ENDPOINT', ['http://127.0.0.1:4318'], ['127.0.0.1:4318', 'http://']],
  ['OTEL_TRACES_SAMPLER_ARG', ['0', '1'], ['-0.1', '10%', '.5']],
]

test.for(forms)('%s is accepted in its forms alone', ([name, accepted, rejected]) => {
  for (const value of accepted) expect(problemsOf({ [name]: value }), value).toEqual([])
  for (const value of rejected) expect(problemsOf({ [name]: value }), value).toHaveLength(1)
})

const secrets: readonly (readonly [value: string, shown: string])[] = [
  ['postgres://user:s3cret@more@host/db', 'postgres://***@host/db'],
  ['postgres://user:1/s3cret@host/db', 'postgres://***@host/db'],
  ['mysql://user:s3cret\n@host/db', 'mysql://***@host/db'],
  ['user:s3cret@host/db', 'user:***@host/db'],
  ['mysql://host/db?user=a&password=s3cret&ssl=1', 'mysql://host/db?user=a&password=***&ssl=1'],
  ['redis://user:s3cret', 'redis://user:***'],
  ['redis://:s3cret/0', 'redis://:***/0'],
  ['postgres://db.example:s3cret/stock', 'postgres://db.example:***/stock'],
  ['host=db PASSWORD=s3cret', 'host=db PASSWORD=***'],
]

test('a rejected URL is shown without its password', () => {
  for (const [value, shown] of secrets) {
    const lines = problemsOf({ DATABASE_URL: value, CORS_ORIGINS: value, REDIS_URL: value })
    const line = expect.stringContaining(JSON.stringify(shown))
    expect(lines, value).toEqual([line, line, line])
  }
})
