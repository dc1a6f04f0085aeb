import { apiName } from './process/names.ts'
import { OperatorError } from './process/operator-error.ts'

/** The configuration of the service. */
export type Config = Readonly<ReturnType<typeof readConfig>>

export type LogLevel = Config['logLevel']

type Environment = Readonly<Record<string, string | undefined>>

/** Reads the configuration from environment variables; throws an `OperatorError` with a line for each problem. */
export function readConfig(environment: Environment) {
  const problems: string[] = []

  function read<Value>(name: string, fallback: string, { allowed, parse }: Reader<Value>): Value {
    // An empty variable counts as one that is not set.
    const setting = environment[name] || fallback
    const value = parse(setting)
    if (value !== undefined) {
      return value
    }

    const quoted = JSON.stringify(withoutCredentials(setting))
    problems.push(`${name} is ${quoted}. Allowed: ${allowed}.`)
    // The other variables are read, too; a fallback is always allowed.
    return parse(fallback) as Value
  }

  const isProduction = environment['NODE_ENV'] === 'production'
  const config = {
    host: read('HOST', '127.0.0.1', text),
    port: read('PORT', '3000', port),
    opsHost: read('OPS_HOST', '127.0.0.1', text),
    /** The port of the metrics and of a second liveness probe; `off` opens none. */
    opsPort: read('OPS_PORT', '9464', portOrOff),
    databaseUrl: read('DATABASE_URL', `sqlite:data/${apiName}.sqlite`, storeUrl),
    /** Connections to PostgreSQL at most. */
    databasePoolSize: read('DATABASE_POOL_SIZE', '10', wholeNumber(1, 1_000)),
    /** Where limits are counted for all instances; empty when each counts for itself. */
    redisUrl: read('REDIS_URL', '', redisUrl),
    logLevel: read('LOG_LEVEL', 'info', logLevel),
    /** Proxies in front of the service. */
    trustProxy: read('TRUST_PROXY', '0', wholeNumber(0, 32)),
    corsOrigins: read('CORS_ORIGINS', '', origins),
    /** Whether agents may call the operations as tools, at `/mcp`. */
    mcp: read('MCP', 'on', oneOf('on', 'off')) === 'on',
    rateLimits: read('RATE_LIMITS', 'on', oneOf('on', 'off')) === 'on',
    anonymousPerMinute: read('ANONYMOUS_PER_MINUTE', '60', wholeNumber(1)),
    /** Responses 429 within a minute that lead to a ban. */
    banAfter: read('BAN_AFTER', '10', wholeNumber(1)),
    banSeconds: read('BAN_SECONDS', '300', wholeNumber(1, 86_400)),
    /** Who issues tokens; empty for the issuer that the description names. */
    oidcIssuer: read('OIDC_ISSUER', '', hostUrl),
    /** What tokens of this API have in `aud`. */
    oidcAudience: read('OIDC_AUDIENCE', '', audience),
    idempotencyHours: read('IDEMPOTENCY_HOURS', '24', wholeNumber(1, 8_760)),
    /** Whether operations without a handler respond with samples; else the service does not start. */
    samples: read('SAMPLES', isProduction ? 'off' : 'on', oneOf('on', 'off')) === 'on',
    responseValidation: read('RESPONSE_VALIDATION', 'strict', oneOf('strict', 'log')),
    /** Milliseconds that a request may wait for others to end, before it is rejected with 503. */
    overloadWaitMs: read('OVERLOAD_WAIT_MS', '1000', wholeNumber(1, 60_000)),
    /** Requests that are processed at once, of those that only read and of the others; more wait. */
    requestsAtOnce: read('REQUESTS_AT_ONCE', '300', wholeNumber(1, 100_000)),
    /** Responses that are sent in parts at once; another one is 503. */
    streamsAtOnce: read('STREAMS_AT_ONCE', '1000', wholeNumber(1, 1_000_000)),
    /** Seconds after which an idle stream of events gets a comment. */
    streamKeepAliveSeconds: read('STREAM_KEEP_ALIVE_SECONDS', '10', seconds),
    shutdownGraceSeconds: read('SHUTDOWN_GRACE_SECONDS', '20', wholeNumber(0, 3_600)),
    /** Where traces are sent, by OTLP over HTTP; empty when there are none. */
    tracesEndpoint: read('OTEL_EXPORTER_OTLP_ENDPOINT', '', webUrl),
    /** The share of the traces that begin here that is sampled. */
    tracesShare: read('OTEL_TRACES_SAMPLER_ARG', '1', share),
    serviceName: read('OTEL_SERVICE_NAME', apiName, text),
    /** The limits of connections. */
    connections: {
      most: read('MAX_CONNECTIONS', '4000', wholeNumber(1, 1_000_000)),
      /** Open connections from one address, unless a proxy is in front. */
      perAddress: read('MAX_CONNECTIONS_PER_ADDRESS', '1000', wholeNumber(1, 1_000_000)),
      /** Seconds until the header section of a request has arrived. */
      headersSeconds: read('HEADERS_SECONDS', '15', seconds),
      /** Seconds until all of a request has arrived. */
      requestSeconds: read('REQUEST_SECONDS', '60', seconds),
      /** Seconds without progress while a request is processed or its response is sent. */
      socketTimeoutSeconds: read('SOCKET_TIMEOUT_SECONDS', '120', seconds),
      /** Seconds between two requests. */
      idleSeconds: read('IDLE_SECONDS', '65', seconds),
    },
    /** The service that implements the operations without a handler. */
    upstream: {
      /** Empty where there is none. */
      url: read('UPSTREAM_URL', '', hostUrl),
      /** Whether requests that violate the description are rejected, or forwarded and logged. */
      requests: read('UPSTREAM_REQUESTS', 'reject', oneOf('reject', 'log')),
      /** Whether requests that match no operation are rejected, or forwarded. */
      undeclared: read('UPSTREAM_UNDECLARED', 'reject', oneOf('reject', 'forward')),
      /** Whether it gets the credentials of clients. */
      credentials: read('UPSTREAM_CREDENTIALS', 'forward', oneOf('forward', 'remove')),
      /** Seconds that it may take to connect, to respond, and between two parts of a response. */
      timeoutSeconds: read('UPSTREAM_TIMEOUT_SECONDS', '30', seconds),
    },
    isProduction,
  }
  if (problems.length > 0) {
    throw new OperatorError(problems.join('\n'))
  }
  return config
}

/** Parses the text of a variable; undefined where it is not allowed. */
interface Reader<Value> {
  readonly allowed: string
  readonly parse: (value: string) => Value | undefined
}

function oneOf<Word extends string>(...words: readonly Word[]): Reader<Word> {
  return { allowed: words.join(', '), parse: (value) => words.find((word) => word === value) }
}

function wholeNumber(least: number, most = Number.MAX_SAFE_INTEGER): Reader<number> {
  const range = most === Number.MAX_SAFE_INTEGER ? `from ${least}` : `from ${least} to ${most}`
  return {
    allowed: `a whole number ${range}`,
    parse(value) {
      const isDecimal = /^\d{1,15}$/.test(value)
      const number = Number(value)
      return isDecimal && number >= least && number <= most ? number : undefined
    },
  }
}

function textThat(allowed: string, isAllowed: (value: string) => boolean): Reader<string> {
  return { allowed, parse: (value) => (isAllowed(value) ? value : undefined) }
}

const text = textThat('any text', () => true)
const logLevel = oneOf('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent')
const seconds = wholeNumber(1, 3_600)
const port = wholeNumber(0, 65_535)
const portOrOff: Reader<number | 'off'> = {
  allowed: `${port.allowed}, or off`,
  parse: (value) => (value === 'off' ? value : port.parse(value)),
}
const shareForm = /^(0(\.\d{1,9})?|1(\.0{1,9})?)$/
const share: Reader<number> = {
  allowed: 'a number from 0 to 1, such as 0.1',
  parse: (value) => (shareForm.test(value) ? Number(value) : undefined),
}

const origins: Reader<readonly string[]> = {
  allowed: 'a comma list of origins such as https://app.example, without a path',
  parse(value) {
    const list = value === '' ? [] : value.split(',').map((origin) => origin.trim())
    return list.every(isOrigin) ? list : undefined
  },
}

/** Returns whether a text is an origin as browsers send it: without a path, and without the usual port. */
function isOrigin(value: string): boolean {
  return URL.parse(value)?.origin === value
}

/** An address that begins with http:// or https://, without a query and a fragment. */
const webUrlForm = /^https?:\/\/[^?#\s]+$/
const webUrl = textThat(
  'http://HOST:PORT or https://HOST:PORT, with a path where there is one',
  (value) => value === '' || (webUrlForm.test(value) && URL.canParse(value)),
)

const hostUrl = textThat(
  'https://HOST or http://HOST, with a port and a path where there are some',
  (value) => {
    const hasUser = value.includes('@')
    return value === '' || (webUrlForm.test(value) && !hasUser && URL.canParse(value))
  },
)

const visibleAscii = /^[!-~]*$/
const audience = textThat('a text without spaces, such as https://api.example', (value) => {
  return visibleAscii.test(value)
})

/** The address of a Redis, which may end with the number of a database. */
const redisUrlForm = /^rediss?:\/\/[^/?#]+(\/\d*)?$/
const redisUrl = textThat(
  'redis://HOST:PORT/NUMBER, or rediss://… for TLS, with USER:PASSWORD@ where Redis asks for it',
  (value) => value === '' || (redisUrlForm.test(value) && isDecodableUrl(value)),
)

const postgresExample = 'postgres://USER:PASSWORD@HOST:PORT/DATABASE'
const storeUrl = textThat(`sqlite:FILE, sqlite::memory:, or ${postgresExample}`, isStoreUrl)

/** The forms of the URL of a store that outlives a process, for messages. */
export const lastingUrlForms = `sqlite:FILE or ${postgresExample}`

/** Returns whether a text is the URL of a store. */
export function isStoreUrl(value: string): boolean {
  return isSqliteUrl(value) || isPostgresUrl(value)
}

const sqliteScheme = 'sqlite:'

function isSqliteUrl(value: string): boolean {
  if (!value.startsWith(sqliteScheme)) {
    return false
  }

  const file = value.slice(sqliteScheme.length)
  // A folder after two slashes would be taken for one at the root of the disk.
  const hasHost = /^\/\/[^/]/.test(file)
  // SQLite takes a name that begins like this for a URI.
  const isUri = file.startsWith('file:')
  return file !== '' && !hasHost && !isUri
}

/** An @ after the host belongs to a password that is not percent-encoded, and would be shown as a host. */
const postgresUrlForm =
  /^postgres(ql)?:\/\/(?<credentials>[^/?#@]*@)?(?<host>[^/?#@]*)\/(?<database>[^/?#@]+)(?<parameters>\?[^#@]*)?$/

function isPostgresUrl(value: string): boolean {
  return postgresUrlForm.test(value) && isDecodableUrl(value)
}

/** Returns whether a text is a URL whose percent-encoding can be decoded. */
function isDecodableUrl(value: string): boolean {
  try {
    const { hostname, username, password, pathname } = new URL(value)
    for (const part of [hostname, username, password, pathname]) {
      decodeURIComponent(part)
    }
    return true
  } catch {
    return false
  }
}

/** The scheme of a URL, and what is before the last @. */
const textBeforeAt = /^(?<scheme>[\w+.-]+:)?(?<slashes>\/\/)?.*@/s

/** What is after the colon of a host and is no port. */
const textInsteadOfPort = /^(?<schemeAndHost>\w+:\/\/[^/?#@[\]]*:)(?!\d{0,5}(?:[/?#]|$))[^/?#]*/

/** The value of a parameter, or the fragment. */
const valueOrFragment = /(?<start>(?:^|[?&#\s])[^=?&#\s]*=|#)[^&#\s]*/g

/**
 * Returns a URL without its credentials, for messages. A password may be before the @, with or
 * without slashes, in any parameter, or where a port should be.
 */
export function withoutCredentials(value: string): string {
  return value
    .replace(textBeforeAt, '$<scheme>$<slashes>***@')
    .replace(textInsteadOfPort, '$<schemeAndHost>***')
    .replaceAll(valueOrFragment, '$<start>***')
}
