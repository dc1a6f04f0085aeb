import { expect, test } from 'vitest'
import { readConfig } from '../../../server/config.ts'
import { OperatorError } from '../../../server/process/operator-error.ts'
import { variables } from '../../helpers/variables.ts'

/** Returns the lines about what is wrong with an environment. */
function problemsOf(environment: Readonly<Record<string, string>>): string[] {
  try {
    readConfig(environment)
    return []
  } catch (error) {
    if (error instanceof OperatorError) {
      return error.message.split('\n')
    }
    throw error
  }
}

test('empty and unknown variables change no default', () => {
  const empty = Object.fromEntries(variables.map((name) => [name, '']))
  for (const environment of [empty, { SOMETHING_ELSE: 'x' }, { NODE_ENV: 'test' }]) {
    expect(readConfig(environment)).toEqual(readConfig({}))
  }
})

test('the problems of all variables are reported at once, each with what is allowed', () => {
  const problems = problemsOf({ OPS_PORT: 'on', BAN_SECONDS: '86401', IDLE_SECONDS: '0.5' })
  expect(problems).toEqual([
    'OPS_PORT is "on". Allowed: a whole number from 0 to 65535, or off.',
    'BAN_SECONDS is "86401". Allowed: a whole number from 1 to 86400.',
    'IDLE_SECONDS is "0.5". Allowed: a whole number from 1 to 3600.',
  ])
})

test('hosts, the name of the service, and the hours of idempotency and NODE_ENV are read', () => {
  const hosts = { HOST: '::1', OPS_HOST: '0.0.0.0' }
  const others = { OTEL_SERVICE_NAME: 'stock', IDEMPOTENCY_HOURS: '48', NODE_ENV: 'production' }
  expect(readConfig({ ...hosts, ...others })).toEqual({
    ...readConfig({}),
    host: '::1',
    opsHost: '0.0.0.0',
    serviceName: 'stock',
    idempotencyHours: 48,
    isProduction: true,
    samples: false,
  })
})

test('SAMPLES is on by default, and off in production', () => {
  const isOn = (environment: Readonly<Record<string, string>>) => readConfig(environment).samples
  expect(isOn({ NODE_ENV: 'test' })).toBe(true)
  expect(isOn({ NODE_ENV: 'production', SAMPLES: '' })).toBe(false)
  expect(isOn({ NODE_ENV: 'production', SAMPLES: 'on' })).toBe(true)
  expect(isOn({ SAMPLES: 'off' })).toBe(false)
})

const accepted = {
  PORT: ['65535'],
  DATABASE_URL: [
    'sqlite::memory:',
    'sqlite:///var/a.db',
    'postgres://keeper:s3cr%40t@db.example:5433/stock?sslmode=disable',
    'postgresql://127.0.0.1/stock',
    'postgres:///stock?host=/run/postgresql',
  ],
  REDIS_URL: ['redis://[::1]:6379/0', 'redis://:p%40ss@redis.example:6380/15', 'rediss://u:p@db/'],
  OIDC_ISSUER: ['https://login.example', 'http://127.0.0.1:8080/realms/books/'],
  OIDC_AUDIENCE: ['books', 'https://books.example/?v=2', 'urn:books'],
  LOG_LEVEL: ['trace', 'silent'],
  CORS_ORIGINS: ['https://a.example', 'https://a.example, http://localhost:8080'],
  RATE_LIMITS: ['on', 'off'],
  RESPONSE_VALIDATION: ['strict', 'log'],
  SAMPLES: ['on', 'off'],
  UPSTREAM_URL: ['http://127.0.0.1:4000', 'https://legacy.example/inner'],
  UPSTREAM_REQUESTS: ['reject', 'log'],
  UPSTREAM_UNDECLARED: ['reject', 'forward'],
  UPSTREAM_CREDENTIALS: ['forward', 'remove'],
  OTEL_EXPORTER_OTLP_ENDPOINT: ['http://127.0.0.1:4318'],
  OTEL_TRACES_SAMPLER_ARG: ['0', '1'],
}

const rejected = {
  PORT: ['-1', '+1', '1.0', '1e3', '0x50', ' 80', 'http', '9'.repeat(20)],
  DATABASE_URL: [
    'sqlite:',
    'sqlite://data/store.sqlite',
    'mysql://host/db',
    'postgres:stock',
    'postgres://db.example',
    'postgres://db.example:70000/stock',
    'postgres://db%zz.example/stock',
    'postgres://db.example/%zz',
  ],
  REDIS_URL: ['http://a', 'redis:a', 'redis://', 'redis://a:70000', 'redis://a/0?b=5'],
  OIDC_ISSUER: ['login.example', 'https://', 'https://a:b@c.example', 'https://a.example/?b=c'],
  OIDC_AUDIENCE: ['a b', 'café'],
  LOG_LEVEL: ['INFO', 'all'],
  CORS_ORIGINS: ['*', 'null', 'https://a.example/', 'https://a.example,'],
  RATE_LIMITS: ['false', 'OFF'],
  RESPONSE_VALIDATION: ['off'],
  SAMPLES: ['true', 'ON'],
  UPSTREAM_URL: ['127.0.0.1:4000', 'http://a:b@c.example', 'ftp://a.example'],
  UPSTREAM_REQUESTS: ['off'],
  OTEL_EXPORTER_OTLP_ENDPOINT: ['127.0.0.1:4318', 'http://', 'http://a/?b=c'],
  OTEL_TRACES_SAMPLER_ARG: ['-0.1', '1.1', '10%', '.5'],
}

test.for([
  ['accepted', accepted, 0],
  ['rejected', rejected, 1],
] as const)('each of these values of a variable is %s', ([, values, problems]) => {
  for (const [name, list] of Object.entries(values)) {
    for (const value of list) {
      expect(problemsOf({ [name]: value }), `${name}=${value}`).toHaveLength(problems)
    }
  }
})

const secrets = {
  'postgres://user:s3cret@more@host/db': 'postgres://***@host/db',
  'postgres://user:1/s3cret@host/db': 'postgres://***@host/db',
  'user:s3cret@host/db': 'user:***@host/db',
  'https://host/db?user=s3cret&sig=s3cret#s3cret': 'https://host/db?user=***&sig=***#***',
  'redis://:s3cret/0': 'redis://:***/0',
  'host=db PASSWORD=s3cret': 'host=*** PASSWORD=***',
}

test('a rejected URL is shown without its password', () => {
  for (const [value, shown] of Object.entries(secrets)) {
    const lines = problemsOf({ DATABASE_URL: value, CORS_ORIGINS: value, REDIS_URL: value })
    const line = expect.stringContaining(JSON.stringify(shown))
    expect(lines, value).toEqual([line, line, line])
  }
})
