import {
  isRedisUrl,
  isStoreUrl,
  redisUrlForms,
  storeUrlForms,
  withoutCredentials,
} from './connection-urls.ts'
import { PlainError } from './plain-error.ts'

/** The configuration of the service. */
export interface Config {
  readonly host: string
  readonly port: number
  readonly opsHost: string
  /** Where operators find the metrics; `off` keeps none. */
  readonly opsPort: number | 'off'
  readonly databaseUrl: string
  /** Connections to a database that is reached over them, at most. */
  readonly databasePoolSize: number
  /** Where limits are counted for all instances; empty when each counts for itself. */
  readonly redisUrl: string
  readonly logLevel: LogLevel
  /** How many proxies are in front. */
  readonly trustProxy: number
  readonly corsOrigins: readonly string[]
  readonly rateLimits: boolean
  readonly anonymousPerMinute: number
  /** Responses 429 within a minute that lead to a ban. */
  readonly banAfter: number
  readonly banSeconds: number
  readonly idempotencyHours: number
  readonly responseValidation: 'strict' | 'log'
  /** Milliseconds that a request may wait for others to end, before it is rejected with 503. */
  readonly overloadWaitMs: number
  /** Requests that are processed at once, of those that only read and of the others; more wait. */
  readonly requestsAtOnce: number
  readonly shutdownGraceSeconds: number
  /** Where traces are sent, by OTLP over HTTP; empty when there are none. */
  readonly tracesEndpoint: string
  /** The share of the traces that begin here that is sampled. */
  readonly tracesShare: number
  readonly serviceName: string
  readonly connections: ConnectionConfig
  readonly isProduction: boolean
}

/** The limits of connections. */
export interface ConnectionConfig {
  /** Open connections at most. */
  readonly most: number
  /** Open connections from one address, unless a proxy is in front. */
  readonly perAddress: number
  /** Seconds until the header section of a request has arrived. */
  readonly headersSeconds: number
  /** Seconds until all of a request has arrived. */
  readonly requestSeconds: number
  /** Seconds until all of a request has arrived and all of its response was read. */
  readonly exchangeSeconds: number
  /** Seconds without a request. */
  readonly idleSeconds: number
}

export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const
export type LogLevel = (typeof logLevels)[number]

/** An environment that the service cannot run in; each problem is one line. */
export class ConfigError extends PlainError {
  override readonly name = 'ConfigError'
}

type Environment = Readonly<Record<string, string | undefined>>

const seconds = wholeNumber(1, 3_600)

/** Reads the configuration from environment variables; throws a `ConfigError` with every problem. */
export function readConfig(environment: Environment): Config {
  const problems: string[] = []
  const read = createReader(environment, problems)
  const config: Config = {
    host: read('HOST', '127.0.0.1', text),
    port: read('PORT', '3000', wholeNumber(0, 65_535)),
    opsHost: read('OPS_HOST', '127.0.0.1', text),
    opsPort: read('OPS_PORT', '9464', orOff(wholeNumber(0, 65_535))),
    databaseUrl: read('DATABASE_URL', 'sqlite:data/animal-store.sqlite', storeUrl),
    databasePoolSize: read('DATABASE_POOL_SIZE', '10', wholeNumber(1, 1_000)),
    redisUrl: read('REDIS_URL', '', redisUrl),
    logLevel: read('LOG_LEVEL', 'info', oneOf(...logLevels)),
    trustProxy: read('TRUST_PROXY', '0', wholeNumber(0, 32)),
    corsOrigins: read('CORS_ORIGINS', '', origins),
    rateLimits: read('RATE_LIMITS', 'on', oneOf('on', 'off')) === 'on',
    anonymousPerMinute: read('ANONYMOUS_PER_MINUTE', '60', wholeNumber(1)),
    banAfter: read('BAN_AFTER', '10', wholeNumber(1)),
    banSeconds: read('BAN_SECONDS', '300', wholeNumber(1, 86_400)),
    idempotencyHours: read('IDEMPOTENCY_HOURS', '24', wholeNumber(1, 8_760)),
    responseValidation: read('RESPONSE_VALIDATION', 'strict', oneOf('strict', 'log')),
    overloadWaitMs: read('OVERLOAD_WAIT_MS', '1000', wholeNumber(1, 60_000)),
    requestsAtOnce: read('REQUESTS_AT_ONCE', '100', wholeNumber(1, 100_000)),
    shutdownGraceSeconds: read('SHUTDOWN_GRACE_SECONDS', '20', wholeNumber(0, 3_600)),
    tracesEndpoint: read('OTEL_EXPORTER_OTLP_ENDPOINT', '', webUrl),
    tracesShare: read('OTEL_TRACES_SAMPLER_ARG', '1', share),
    serviceName: read('OTEL_SERVICE_NAME', 'animal-store', text),
    connections: {
      most: read('MAX_CONNECTIONS', '4000', wholeNumber(1, 1_000_000)),
      perAddress: read('MAX_CONNECTIONS_PER_ADDRESS', '1000', wholeNumber(1, 1_000_000)),
      headersSeconds: read('HEADERS_SECONDS', '15', seconds),
      requestSeconds: read('REQUEST_SECONDS', '60', seconds),
      exchangeSeconds: read('EXCHANGE_SECONDS', '120', seconds),
      idleSeconds: read('IDLE_SECONDS', '65', seconds),
    },
    isProduction: environment['NODE_ENV'] === 'production',
  }
  if (problems.length > 0) throw new ConfigError(problems.join('\n'))
  return config
}

function createReader(environment: Environment, problems: string[]) {
  return function read<Value>(name: string, fallback: string, reader: Reader<Value>): Value {
    const sent = environment[name] || fallback
    const value = reader.parse(sent)
    if (value !== undefined) return value
    const shown = JSON.stringify(withoutCredentials(sent))
    problems.push(`${name} is ${shown}. Allowed: ${reader.allowed}.`)
    const usual = reader.parse(fallback)
    if (usual === undefined) throw new Error(`The default of ${name} is not allowed.`)
    return usual
  }
}

/** Parses a value; undefined where it is not allowed. */
interface Reader<Value> {
  readonly allowed: string
  readonly parse: (value: string) => Value | undefined
}

/** Reads any text. */
const text: Reader<string> = { allowed: 'any text', parse: (value) => value }

/** Reads one of some words. */
function oneOf<Word extends string>(...words: readonly Word[]): Reader<Word> {
  return {
    allowed: words.join(', '),
    parse: (value) => words.find((word) => word === value),
  }
}

/** Reads a number in decimal digits, within bounds. */
function wholeNumber(least: number, most = Number.MAX_SAFE_INTEGER): Reader<number> {
  const range = most === Number.MAX_SAFE_INTEGER ? `from ${least}` : `from ${least} to ${most}`
  return {
    allowed: `a whole number ${range}`,
    parse(value) {
      const number = /^\d{1,15}$/.test(value) ? Number(value) : Number.NaN
      return number >= least && number <= most ? number : undefined
    },
  }
}

/** Reads the URL of a store. */
const storeUrl: Reader<string> = {
  allowed: storeUrlForms,
  parse: (value) => (isStoreUrl(value) ? value : undefined),
}

/** Reads the URL of a Redis, or nothing. */
const redisUrl: Reader<string> = {
  allowed: redisUrlForms,
  parse: (value) => (value === '' || isRedisUrl(value) ? value : undefined),
}

/** Reads origins (RFC 6454) with commas between them, or nothing. */
const origins: Reader<readonly string[]> = {
  allowed: 'a comma list of origins such as https://app.example, without a path',
  parse(value) {
    const list = value === '' ? [] : value.split(',').map((origin) => origin.trim())
    return list.every((origin) => URL.canParse(origin) && new URL(origin).origin === origin)
      ? list
      : undefined
  },
}

/** Reads an HTTP URL, or nothing. */
const webUrl: Reader<string> = {
  allowed: 'http://HOST:PORT or https://HOST:PORT, with a path where there is one',
  parse: (value) => (value === '' || isWebUrl(value) ? value : undefined),
}

function isWebUrl(value: string): boolean {
  return /^https?:\/\/[^?#]+$/.test(value) && URL.canParse(value)
}

/** Reads a share of a whole. */
const share: Reader<number> = {
  allowed: 'a number from 0 to 1, such as 0.1',
  parse: (value) => (/^(0(\.\d{1,9})?|1(\.0{1,9})?)$/.test(value) ? Number(value) : undefined),
}

/** Reads what another reader accepts, or the word `off`. */
function orOff<Value>({ allowed, parse }: Reader<Value>): Reader<Value | 'off'> {
  return {
    allowed: `${allowed}, or off`,
    parse: (value) => (value === 'off' ? value : parse(value)),
  }
}
