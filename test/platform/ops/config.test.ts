import { expect, test } from 'vitest'
import { type Config, ConfigError, readConfig } from '../../../server/config.ts'

const connections = {
  most: 4_000,
  perAddress: 1_000,
  headersSeconds: 15,
  requestSeconds: 60,
  exchangeSeconds: 120,
  idleSeconds: 65,
}

const defaults: Config = {
  host: '127.0.0.1',
  port: 3000,
  opsHost: '127.0.0.1',
  opsPort: 9464,
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
  overloadWaitMs: 1_000,
  requestsAtOnce: 100,
  shutdownGraceSeconds: 20,
  tracesEndpoint: '',
  tracesShare: 1,
  serviceName: 'animal-store',
  connections,
  isProduction: false,
}

const levels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const

type Accepted = readonly [name: string, value: string, changes: Partial<Config>]

/** Values of a variable that are accepted as they are. */
const unchanged = (variable: string, name: keyof Config, values: readonly string[]) =>
  values.map((value): Accepted => [variable, value, { [name]: value }])
/** Numbers that are accepted. */
const numbers = (variable: string, name: keyof Config, ...values: readonly number[]) =>
  values.map((value): Accepted => [variable, `${value}`, { [name]: value }])
const limited = (variable: string, name: keyof typeof connections, value: number): Accepted => [
  variable,
  `${value}`,
  { connections: { ...connections, [name]: value } },
]

const accepted: readonly Accepted[] = [
  ...unchanged('HOST', 'host', ['0.0.0.0', '::1']),
  ...numbers('PORT', 'port', 0, 65_535),
  ...unchanged('OPS_HOST', 'opsHost', ['0.0.0.0']),
  ...numbers('OPS_PORT', 'opsPort', 0),
  ...unchanged('OPS_PORT', 'opsPort', ['off']),
  ...unchanged('DATABASE_URL', 'databaseUrl', [
    'sqlite::memory:',
    'sqlite:/var/a b.db',
    'sqlite:///var/a.db',
    'postgres://keeper:s3cr%40t@db.example:5433/animals?sslmode=disable',
    'postgresql://127.0.0.1/animals',
    'postgres:///animals?host=/run/postgresql',
  ]),
  ...unchanged('REDIS_URL', 'redisUrl', [
    'redis://localhost',
    'redis://[::1]:6379/0',
    'redis://:p%40ss@redis.example:6380/15',
    'rediss://user:pass@redis.example/',
  ]),
  ...numbers('DATABASE_POOL_SIZE', 'databasePoolSize', 25),
  ...unchanged('LOG_LEVEL', 'logLevel', levels),
  ...numbers('TRUST_PROXY', 'trustProxy', 2),
  ['CORS_ORIGINS', 'https://a.example', { corsOrigins: ['https://a.example'] }],
  [
    'CORS_ORIGINS',
    'https://a.example, http://localhost:8080',
    { corsOrigins: ['https://a.example', 'http://localhost:8080'] },
  ],
  ['RATE_LIMITS', 'off', { rateLimits: false }],
  ['RATE_LIMITS', 'on', {}],
  ...numbers('ANONYMOUS_PER_MINUTE', 'anonymousPerMinute', 1),
  ...numbers('BAN_AFTER', 'banAfter', 3),
  ...numbers('BAN_SECONDS', 'banSeconds', 86_400),
  ...numbers('IDEMPOTENCY_HOURS', 'idempotencyHours', 8_760),
  ...unchanged('RESPONSE_VALIDATION', 'responseValidation', ['log']),
  ...numbers('OVERLOAD_WAIT_MS', 'overloadWaitMs', 60_000),
  ...numbers('REQUESTS_AT_ONCE', 'requestsAtOnce', 1),
  ...numbers('SHUTDOWN_GRACE_SECONDS', 'shutdownGraceSeconds', 0),
  ...unchanged('OTEL_EXPORTER_OTLP_ENDPOINT', 'tracesEndpoint', [
    'http://127.0.0.1:4318',
    'https://user:pass@otel.example/base/',
  ]),
  ...numbers('OTEL_TRACES_SAMPLER_ARG', 'tracesShare', 0, 0.05, 1),
  ...unchanged('OTEL_SERVICE_NAME', 'serviceName', ['animals']),
  limited('MAX_CONNECTIONS', 'most', 1),
  limited('MAX_CONNECTIONS_PER_ADDRESS', 'perAddress', 1),
  limited('HEADERS_SECONDS', 'headersSeconds', 3_600),
  limited('REQUEST_SECONDS', 'requestSeconds', 1),
  limited('EXCHANGE_SECONDS', 'exchangeSeconds', 1),
  limited('IDLE_SECONDS', 'idleSeconds', 1),
  ['NODE_ENV', 'production', { isProduction: true }],
  ['NODE_ENV', 'test', {}],
]

const between = (least: number, most: number) => `a whole number from ${least} to ${most}`
const origins = 'a comma list of origins such as https://app.example, without a path'
const databaseUrl = 'sqlite:FILE, sqlite::memory:, or postgres://USER:PASSWORD@HOST:PORT/DATABASE'
const redisUrl =
  'redis://HOST:PORT/NUMBER, or rediss://… for TLS, with USER:PASSWORD@ where Redis asks for it'
const endpoint = 'http://HOST:PORT or https://HOST:PORT, with a path where there is one'

/** What is allowed, and values that are rejected. */
const rejectedBy: readonly (readonly [name: string, allowed: string, values: readonly string[]])[] =
  [
    [
      'PORT',
      between(0, 65_535),
      ['65536', '-1', '+1', '1.0', '1e3', '0x50', ' 80', 'http', '9'.repeat(20)],
    ],
    ['OPS_PORT', `${between(0, 65_535)}, or off`, ['65536', 'on', '-1']],
    [
      'DATABASE_URL',
      databaseUrl,
      [
        'sqlite:',
        'sqlite://data/store.sqlite',
        'data/store.sqlite',
        'mysql://host/db',
        'postgres:animals',
        'postgres://db.example',
        'postgres://db.example:70000/animals',
        'postgres://db%zz.example/animals',
        'postgres://db.example/%zz',
      ],
    ],
    [
      'REDIS_URL',
      redisUrl,
      [
        'localhost:6379',
        'http://localhost:6379',
        'redis:localhost',
        'redis://',
        'redis://localhost:70000',
        'redis://localhost/first',
        'redis://localhost/0?timeout=5',
      ],
    ],
    ['DATABASE_POOL_SIZE', between(1, 1_000), ['0']],
    ['LOG_LEVEL', levels.join(', '), ['INFO']],
    ['TRUST_PROXY', between(0, 32), ['true']],
    [
      'CORS_ORIGINS',
      origins,
      [
        '*',
        'null',
        'https://a.example/',
        'https://a.example,',
        'https://a.example https://b.example',
      ],
    ],
    ['RATE_LIMITS', 'on, off', ['false', 'toString']],
    ['ANONYMOUS_PER_MINUTE', 'a whole number from 1', ['0']],
    ['BAN_AFTER', 'a whole number from 1', ['0']],
    ['BAN_SECONDS', between(1, 86_400), ['86401']],
    ['IDEMPOTENCY_HOURS', between(1, 8_760), ['0']],
    ['RESPONSE_VALIDATION', 'strict, log', ['off']],
    ['OVERLOAD_WAIT_MS', between(1, 60_000), ['0']],
    ['REQUESTS_AT_ONCE', between(1, 100_000), ['0']],
    ['SHUTDOWN_GRACE_SECONDS', between(0, 3_600), ['3601']],
    [
      'OTEL_EXPORTER_OTLP_ENDPOINT',
      endpoint,
      ['127.0.0.1:4318', 'grpc://otel.example', 'http://', 'http://otel.example/?a=b'],
    ],
    ['OTEL_TRACES_SAMPLER_ARG', 'a number from 0 to 1, such as 0.1', ['1.1', '-0.1', '10%', '.5']],
    ['MAX_CONNECTIONS', between(1, 1_000_000), ['0']],
    ['MAX_CONNECTIONS_PER_ADDRESS', between(1, 1_000_000), ['all']],
    ['HEADERS_SECONDS', between(1, 3_600), ['0']],
    ['REQUEST_SECONDS', between(1, 3_600), ['0.5']],
    ['EXCHANGE_SECONDS', between(1, 3_600), ['3601']],
    ['IDLE_SECONDS', between(1, 3_600), ['0']],
  ]

const rejected = rejectedBy.flatMap(([name, allowed, values]) =>
  values.map((value) => [name, value, allowed] as const),
)

/** The lines that tell what is wrong with an environment. */
function problemsOf(environment: Readonly<Record<string, string>>): string[] {
  try {
    readConfig(environment)
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.message.split('\n')
    throw error
  }
}

test('an empty environment has the documented defaults, and so has one with unknown variables', () => {
  expect(readConfig({})).toEqual(defaults)
  expect(readConfig({ SOMETHING_ELSE: 'x' })).toEqual(defaults)
})

test('an empty variable has its default', () => {
  const names = [...accepted, ...rejected].map(([name]) => name)
  expect(readConfig(Object.fromEntries(names.map((name) => [name, ''])))).toEqual(defaults)
})

test('valid values are accepted', () => {
  for (const [name, value, changes] of accepted) {
    expect(readConfig({ [name]: value }), `${name}=${value}`).toEqual({ ...defaults, ...changes })
  }
})

test('other values are rejected with what is allowed', () => {
  for (const [name, value, allowed] of rejected) {
    const problem = `${name} is ${JSON.stringify(value)}. Allowed: ${allowed}.`
    expect(problemsOf({ [name]: value })).toEqual([problem])
  }
})

test('every problem is reported at once, one line each', () => {
  const last = new Map(rejected.map(([name, value]) => [name, value]))
  const names = problemsOf(Object.fromEntries(last)).map((line) => line.split(' ')[0])
  expect(names.sort()).toEqual([...last.keys()].sort())
})

const secrets: readonly (readonly [value: string, shown: string])[] = [
  ['postgres://user:s3cret@more@host/db', 'postgres://***@host/db'],
  ['postgres://user:1/s3cret@host/db', 'postgres://***@host/db'],
  ['postgres://user:1?s3cret@host/db', 'postgres://***@host/db'],
  ['postgres://user:%73s3cret@host', 'postgres://***@host'],
  ['postgres://user:s3cret%zz@host/db', 'postgres://***@host/db'],
  ['postgrse://user:s3cret@host/db', 'postgrse://***@host/db'],
  ['mysql://user:s3cret@tricky@host/db', 'mysql://***@host/db'],
  ['mysql://user:s3cret\n@host/db', 'mysql://***@host/db'],
  ['mysql:user:s3cret@host/db', 'mysql:***@host/db'],
  ['user:s3cret@host/db', 'user:***@host/db'],
  ['mysql://host/db?user=a&password=s3cret&ssl=1', 'mysql://host/db?user=a&password=***&ssl=1'],
  ['redis://user:s3cret', 'redis://user:***'],
  ['redis://:s3cret/0', 'redis://:***/0'],
  ['redis://user:s3cret%zz@host:1/0', 'redis://***@host:1/0'],
  ['postgres://db.example:s3cret/animals', 'postgres://db.example:***/animals'],
  ['host=db PASSWORD=s3cret', 'host=db PASSWORD=***'],
]

test('a rejected URL is shown without its password', () => {
  for (const [value, shown] of secrets) {
    const lines = problemsOf({ DATABASE_URL: value, CORS_ORIGINS: value, REDIS_URL: value })
    expect(lines.join()).not.toContain('s3cret')
    const line = expect.stringContaining(JSON.stringify(shown))
    expect(lines, value).toEqual([line, line, line])
  }
})
