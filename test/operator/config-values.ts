import { type Config, logLevels } from '../../server/config.ts'
import * as observation from './observation-variables.ts'

const connections = {
  most: 4_000,
  perAddress: 1_000,
  headersSeconds: 15,
  requestSeconds: 60,
  exchangeSeconds: 120,
  idleSeconds: 65,
}

/** The configuration of an empty environment. */
export const usual: Config = {
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
  overloadWaitMs: 25,
  requestsAtOnce: 100,
  shutdownGraceSeconds: 20,
  ...observation.usual,
  connections,
  isProduction: false,
}

/** Values that are taken, and what they change. */
export const accepted: readonly observation.Accepted[] = [
  ['HOST', '0.0.0.0', { host: '0.0.0.0' }],
  ['HOST', '::1', { host: '::1' }],
  ['PORT', '0', { port: 0 }],
  ['PORT', '65535', { port: 65_535 }],
  ...observation.accepted,
  ['DATABASE_URL', 'sqlite::memory:', { databaseUrl: 'sqlite::memory:' }],
  ['DATABASE_URL', 'sqlite:/var/a b.db', { databaseUrl: 'sqlite:/var/a b.db' }],
  ['DATABASE_URL', 'sqlite:///var/a.db', { databaseUrl: 'sqlite:///var/a.db' }],
  ...[
    'redis://localhost',
    'redis://[::1]:6379/0',
    'redis://:p%40ss@redis.example:6380/15',
    'rediss://user:pass@redis.example/',
  ].map((url): observation.Accepted => ['REDIS_URL', url, { redisUrl: url }]),
  ...[
    'postgres://keeper:s3cr%40t@db.example:5433/animals?sslmode=disable',
    'postgresql://127.0.0.1/animals',
    'postgres:///animals?host=/run/postgresql',
  ].map((databaseUrl): observation.Accepted => ['DATABASE_URL', databaseUrl, { databaseUrl }]),
  ['DATABASE_POOL_SIZE', '25', { databasePoolSize: 25 }],
  ...logLevels.map((level): observation.Accepted => ['LOG_LEVEL', level, { logLevel: level }]),
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
  ['MAX_CONNECTIONS', '1', { connections: { ...connections, most: 1 } }],
  ['MAX_CONNECTIONS_PER_ADDRESS', '1', { connections: { ...connections, perAddress: 1 } }],
  ['HEADERS_SECONDS', '3600', { connections: { ...connections, headersSeconds: 3_600 } }],
  ['REQUEST_SECONDS', '1', { connections: { ...connections, requestSeconds: 1 } }],
  ['EXCHANGE_SECONDS', '1', { connections: { ...connections, exchangeSeconds: 1 } }],
  ['IDLE_SECONDS', '1', { connections: { ...connections, idleSeconds: 1 } }],
  ['NODE_ENV', 'production', { isProduction: true }],
  ['NODE_ENV', 'test', {}],
]

const port = 'a whole number from 0 to 65535'
const origins = 'a comma list of origins such as https://app.example, without a path'
const redisUrl =
  'redis://HOST:PORT/NUMBER, or rediss://… for TLS, with USER:PASSWORD@ where Redis asks for it'
const storeUrl = 'sqlite:FILE, sqlite::memory:, or postgres://USER:PASSWORD@HOST:PORT/DATABASE'

/** Values that are refused, and what the refusal says is allowed. */
export const refused: readonly (readonly [name: string, value: string, allowed: string])[] = [
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
  ['RATE_LIMITS', 'false', 'on, off'],
  ['RATE_LIMITS', 'toString', 'on, off'],
  ['ANONYMOUS_PER_MINUTE', '0', 'a whole number from 1'],
  ['BAN_AFTER', '0', 'a whole number from 1'],
  ['BAN_SECONDS', '86401', 'a whole number from 1 to 86400'],
  ['IDEMPOTENCY_HOURS', '0', 'a whole number from 1 to 8760'],
  ['RESPONSE_VALIDATION', 'off', 'strict, log'],
  ['OVERLOAD_WAIT_MS', '0', 'a whole number from 1 to 60000'],
  ['REQUESTS_AT_ONCE', '0', 'a whole number from 1 to 100000'],
  ['SHUTDOWN_GRACE_SECONDS', '3601', 'a whole number from 0 to 3600'],
  ...observation.refused,
  ['MAX_CONNECTIONS', '0', 'a whole number from 1 to 1000000'],
  ['MAX_CONNECTIONS_PER_ADDRESS', 'all', 'a whole number from 1 to 1000000'],
  ['HEADERS_SECONDS', '0', 'a whole number from 1 to 3600'],
  ['REQUEST_SECONDS', '0.5', 'a whole number from 1 to 3600'],
  ['EXCHANGE_SECONDS', '3601', 'a whole number from 1 to 3600'],
  ['IDLE_SECONDS', '0', 'a whole number from 1 to 3600'],
]
