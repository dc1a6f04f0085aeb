import { describe, expect, test } from 'vitest'
import { type Config, ConfigRefused, logLevels, readConfig } from '../../server/config.ts'

const usual: Config = {
  host: '127.0.0.1',
  port: 3000,
  databaseUrl: 'sqlite:data/animal-store.sqlite',
  databasePoolSize: 10,
  redisUrl: '',
  logLevel: 'info',
  trustProxy: 0,
  corsOrigins: [],
  rateLimits: true,
  anonymousPerMinute: 60,
  banAfter: 10,
  banSeconds: 300,
  idempotencyHours: 24,
  responseValidation: 'strict',
  overloadWaitMs: 100,
  requestsAtOnce: 100,
  shutdownGraceSeconds: 20,
  isProduction: false,
}

type Accepted = readonly [name: string, value: string, config: Partial<Config>]
const accepted: readonly Accepted[] = [
  ...['0.0.0.0', '::1'].map((host): Accepted => ['HOST', host, { host }]),
  ...[0, 65_535].map((port): Accepted => ['PORT', `${port}`, { port }]),
  ['DATABASE_URL', 'sqlite::memory:', { databaseUrl: 'sqlite::memory:' }],
  ['DATABASE_URL', 'sqlite:/var/a b.db', { databaseUrl: 'sqlite:/var/a b.db' }],
  ['DATABASE_URL', 'sqlite:///var/a.db', { databaseUrl: 'sqlite:///var/a.db' }],
  ...[
    'redis://localhost',
    'redis://[::1]:6379/0',
    'redis://:p%40ss@redis.example:6380/15',
    'rediss://user:pass@redis.example/',
  ].map((url): Accepted => ['REDIS_URL', url, { redisUrl: url }]),
  ...[
    'postgres://keeper:s3cr%40t@db.example:5433/animals?sslmode=disable',
    'postgresql://127.0.0.1/animals',
    'postgres:///animals?host=/run/postgresql',
  ].map((databaseUrl): Accepted => ['DATABASE_URL', databaseUrl, { databaseUrl }]),
  ['DATABASE_POOL_SIZE', '25', { databasePoolSize: 25 }],
  ...logLevels.map((level): Accepted => ['LOG_LEVEL', level, { logLevel: level }]),
  ['TRUST_PROXY', '2', { trustProxy: 2 }],
  ['CORS_ORIGINS', 'https://a.example', { corsOrigins: ['https://a.example'] }],
  [
    'CORS_ORIGINS',
    'https://a.example, http://localhost:8080',
    { corsOrigins: ['https://a.example', 'http://localhost:8080'] },
  ],
  ['RATE_LIMITS', 'off', { rateLimits: false }],
  ['RATE_LIMITS', 'on', {}],
  ['ANONYMOUS_PER_MINUTE', '1', { anonymousPerMinute: 1 }],
  ['BAN_AFTER', '3', { banAfter: 3 }],
  ['BAN_SECONDS', '86400', { banSeconds: 86_400 }],
  ['IDEMPOTENCY_HOURS', '8760', { idempotencyHours: 8760 }],
  ['RESPONSE_VALIDATION', 'log', { responseValidation: 'log' }],
  ['OVERLOAD_WAIT_MS', '60000', { overloadWaitMs: 60_000 }],
  ['REQUESTS_AT_ONCE', '1', { requestsAtOnce: 1 }],
  ['SHUTDOWN_GRACE_SECONDS', '0', { shutdownGraceSeconds: 0 }],
  ['NODE_ENV', 'production', { isProduction: true }],
  ['NODE_ENV', 'test', {}],
]

const port = 'a whole number from 0 to 65535'
const origins = 'a comma list of origins such as https://app.example, without a path'
const redisUrl =
  'redis://HOST:PORT/NUMBER, or rediss://… for TLS, with USER:PASSWORD@ where Redis asks for it'
const storeUrl = 'sqlite:FILE, sqlite::memory:, or postgres://USER:PASSWORD@HOST:PORT/DATABASE'

const refused: readonly (readonly [name: string, value: string, allowed: string])[] = [
  ...['65536', '-1', '+1', '1.0', '1e3', '0x50', ' 80', 'http', '9'.repeat(20)].map(
    (value) => ['PORT', value, port] as const,
  ),
  ['DATABASE_URL', 'sqlite:', storeUrl],
  ['DATABASE_URL', 'sqlite://data/store.sqlite', storeUrl],
  ['DATABASE_URL', 'data/store.sqlite', storeUrl],
  ['DATABASE_URL', 'mysql://host/db', storeUrl],
  ...[
    'localhost:6379',
    'http://localhost:6379',
    'redis:localhost',
    'redis://',
    'redis://localhost:70000',
    'redis://localhost/first',
    'redis://localhost/0?timeout=5',
  ].map((value) => ['REDIS_URL', value, redisUrl] as const),
  ['DATABASE_URL', 'postgres:animals', storeUrl],
  ['DATABASE_URL', 'postgres://db.example', storeUrl],
  ['DATABASE_URL', 'postgres://db.example:70000/animals', storeUrl],
  ...['postgres://db%zz.example/animals', 'postgres://db.example/%zz'].map(
    (value) => ['DATABASE_URL', value, storeUrl] as const,
  ),
  ['DATABASE_POOL_SIZE', '0', 'a whole number from 1 to 1000'],
  ['LOG_LEVEL', 'INFO', logLevels.join(', ')],
  ['TRUST_PROXY', 'true', 'a whole number from 0 to 32'],
  ['CORS_ORIGINS', '*', origins],
  ['CORS_ORIGINS', 'null', origins],
  ['CORS_ORIGINS', 'https://a.example/', origins],
  ['CORS_ORIGINS', 'https://a.example,', origins],
  ['CORS_ORIGINS', 'https://a.example https://b.example', origins],
  ...['false', 'toString'].map((value) => ['RATE_LIMITS', value, 'on, off'] as const),
  ['ANONYMOUS_PER_MINUTE', '0', 'a whole number from 1'],
  ['BAN_AFTER', '0', 'a whole number from 1'],
  ['BAN_SECONDS', '86401', 'a whole number from 1 to 86400'],
  ['IDEMPOTENCY_HOURS', '0', 'a whole number from 1 to 8760'],
  ['RESPONSE_VALIDATION', 'off', 'strict, log'],
  ['OVERLOAD_WAIT_MS', '0', 'a whole number from 1 to 60000'],
  ['REQUESTS_AT_ONCE', '0', 'a whole number from 1 to 100000'],
  ['SHUTDOWN_GRACE_SECONDS', '3601', 'a whole number from 0 to 3600'],
]

function problemsOf(environment: Readonly<Record<string, string>>): string {
  try {
    readConfig(environment)
  } catch (error) {
    if (error instanceof ConfigRefused) return error.message
    throw error
  }
  return ''
}

describe('the configuration', () => {
  test('needs nothing, and has the documented defaults', () => {
    expect(readConfig({})).toEqual(usual)
    expect(readConfig({ SOMETHING_ELSE: 'x' })).toEqual(usual)
  })

  test.for(accepted)('takes %s=%s', ([name, value, changes]) => {
    expect(readConfig({ [name]: value })).toEqual({ ...usual, ...changes })
  })

  test('takes an empty string for unset, for every variable', () => {
    const names = new Set([...accepted, ...refused].map(([name]) => name))
    const empty = Object.fromEntries([...names].map((name) => [name, '']))
    expect(readConfig(empty)).toEqual(usual)
  })

  test.for(refused)('refuses %s=%s, and says what is allowed', ([name, value, allowed]) => {
    const problems = problemsOf({ [name]: value })
    expect(problems).toBe(`${name} is ${JSON.stringify(value)}. Allowed: ${allowed}.`)
  })

  test('tells every problem at once, a line each', () => {
    const last = new Map(refused.map(([name, value]) => [name, value]))
    const lines = problemsOf(Object.fromEntries(last)).split('\n')
    expect(lines.map((line) => line.split(' ')[0]).sort()).toEqual([...last.keys()].sort())
  })
})
