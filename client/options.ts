import type { ApiErrorClass } from './errors.ts'
import type { Hooks } from './hooks.ts'
import type { Operation } from './operation.ts'
import type { Pacer } from './pacing.ts'
import { isRecord } from './record.ts'

/** What a call may override of the client. Times are in milliseconds. */
export interface RetryOptions {
  /** How often a failed request is sent again; 0 for never. 3 by default, 429 without end if paced. */
  readonly maxRetries?: number | undefined
  /**
   * The longest wait before a retry. When the service asks for a longer one with `Retry-After`, the
   * call fails at once. 60,000 by default, no limit for 429 if paced.
   */
  readonly maxRetryDelay?: number | undefined
  /** The timeout of an attempt, to the last byte of the response. 30,000 by default. */
  readonly timeout?: number | undefined
  /** The timeout of a call with its retries. 120,000 by default, none if paced. */
  readonly totalTimeout?: number | undefined
}

/** The options of a call. */
export interface CallOptions extends RetryOptions {
  /** Header fields of the request: those of the contract, and any other. */
  readonly headers?: Readonly<Record<string, string | number | boolean | undefined>> | undefined
  /** Cancels the call, also while it waits for a retry. */
  readonly signal?: AbortSignal | undefined
}

/** The options of a call that lists items. */
export interface ListOptions extends CallOptions {
  /** How many pages a loop may request. 100,000 by default. */
  readonly maxPages?: number | undefined
}

/** The options of a client, without its credentials. */
export interface CommonOptions extends RetryOptions, Hooks {
  /** The URL of the service, with its version segment, such as `https://host.example/v1`. */
  readonly baseUrl: string
  /** Sends the requests; the global `fetch` by default. */
  readonly fetch?: ((request: Request) => Promise<Response>) | undefined
  /** Delays calls to keep to the rate limit: created by `createPacer`. Share it between clients. */
  readonly pacer?: Pacer | undefined
}

/** The options of a client that sends an API key as the bearer token. */
export interface ClientOptions extends CommonOptions {
  /** The API key, or a function that returns it, which is called for every attempt. */
  readonly apiKey: Source<string>
}

/** A value, or a function that returns it. */
export type Source<Value> = Value | (() => Value | Promise<Value>)

/** What an option must be, in words, and the check of a value. */
export type Rule = readonly [expected?: string, isValid?: (value: unknown) => boolean]

/** The rule of a time in milliseconds. */
export const duration: Rule = [
  'a number, 0 or more',
  (value) => typeof value === 'number' && value >= 0,
]
const countFrom = (least: number): Rule => [
  `a whole number, ${least} or more`,
  (value) => value === Infinity || (Number.isInteger(value) && Number(value) >= least),
]
const callback: Rule = ['a function', (value) => typeof value === 'function']
/** The rule of an option that has a check of its own. */
export const checkedApart: Rule = []

const objectWith = (method: string, expected: string): Rule => [
  expected,
  (value) => isRecord(value) && typeof value[method] === 'function',
]

export type Rules<Options> = Readonly<Record<keyof Options, Rule>>
export type OptionRules = Readonly<Record<string, Rule>>

const retryRules: Rules<RetryOptions> = {
  maxRetries: countFrom(0),
  maxRetryDelay: duration,
  timeout: duration,
  totalTimeout: duration,
}
export const callRules: Rules<CallOptions> = {
  headers: ['an object', isRecord],
  signal: objectWith('addEventListener', 'an AbortSignal'),
  ...retryRules,
}
export const listRules: Rules<ListOptions> = { ...callRules, maxPages: countFrom(1) }
export const commonRules: Rules<CommonOptions> = {
  baseUrl: checkedApart,
  fetch: callback,
  pacer: objectWith('acquire', 'created by createPacer'),
  onRetry: callback,
  onRateLimit: callback,
  onDeprecation: callback,
  ...retryRules,
}

/** The credentials of an attempt. */
export interface Credentials {
  /** The texts that no error may contain. */
  readonly secrets: readonly string[]
  /** Adds the credentials to a request; returns the one to send. */
  readonly addTo: (request: Request) => Request | Promise<Request>
}

/** Returns the credentials of the next attempt; the operation is unknown for a request of `raw`. */
export type ReadCredentials = (
  operation: Operation | undefined,
  request: Request,
) => Promise<Credentials>

/** The options of all calls of a client, checked. */
export interface Config extends CommonOptions {
  readonly readCredentials: ReadCredentials
  /** The deprecated operations that were reported, each once. */
  readonly reported: Set<string>
  /** The class of the errors of calls. */
  readonly ErrorClass: ApiErrorClass
}

/** Checks the options of a client; throws a `TypeError` that never contains the API key. */
export function readClientOptions(options: ClientOptions, ErrorClass: ApiErrorClass): Config {
  const rules = { ...commonRules, apiKey: checkedApart }
  const { apiKey, ...common } = readOptions('The client', options, rules)
  if (typeof apiKey !== 'function') {
    checkKey('apiKey', apiKey)
  }
  return toConfig(common, ErrorClass, async () => {
    const key = typeof apiKey === 'function' ? await apiKey() : apiKey
    return toBearer(checkKey('apiKey', key))
  })
}

/** Returns the options of a client, whose names and values were checked, with how it reads its credentials. */
export function toConfig(
  options: CommonOptions,
  ErrorClass: ApiErrorClass,
  readCredentials: ReadCredentials,
): Config {
  const baseUrl = readBaseUrl(options.baseUrl)
  return { ...options, baseUrl, readCredentials, reported: new Set(), ErrorClass }
}

/** Returns credentials that are sent as the bearer token (RFC 6750). */
export function toBearer(token: string): Credentials {
  return {
    secrets: [token],
    addTo(request) {
      request.headers.set('Authorization', `Bearer ${token}`)
      return request
    },
  }
}

/** Returns the options that are given; throws a `TypeError` if one has an unknown name, or a value that is not valid. */
export function readOptions<Options extends object>(
  owner: string,
  options: Options,
  rules: OptionRules,
): Options {
  const names = Object.keys(rules)
  if (!isRecord(options)) {
    throw new TypeError(`${owner} needs an object of options. Allowed: ${names.join(', ')}.`)
  }

  const entries = Object.entries(options).filter(([name, value]) => {
    checkName(owner, 'option', name, names)
    const [expected, isValid] = rules[name] ?? []
    if (value !== undefined && isValid?.(value) === false) {
      throw new TypeError(`${name} must be ${expected}.`)
    }
    return value !== undefined
  })
  // An option that is undefined is as if it were missing.
  return Object.fromEntries(entries) as Options
}

/** Throws a `TypeError` unless a name is one of the allowed ones. */
export function checkName(
  owner: string,
  kind: string,
  name: string,
  allowed: readonly string[],
): void {
  if (allowed.includes(name)) {
    return
  }
  throw new TypeError(`${owner} has no ${kind} ${name}. Allowed: ${allowed.join(', ')}.`)
}

/** Returns a key or token; throws a `TypeError` that does not contain it if it is empty, or cannot be sent. */
export function checkKey(name: string, key: unknown): string {
  if (typeof key !== 'string' || !/^[!-~]+$/.test(key)) {
    const reason = key ? 'must be a string of visible ASCII characters' : 'is empty'
    throw new TypeError(`${name} ${reason}.`)
  }
  return key
}

// A URL may contain a password: the message does not show it.
function readBaseUrl(baseUrl: string): string {
  try {
    // In a browser, it may be relative to the page.
    const { origin, pathname, href } = new URL(baseUrl, globalThis.location?.href)
    // An empty query or hash would swallow the paths as well.
    if (/^https?:/.test(href) && href === origin + pathname) {
      return href
    }
  } catch {}
  throw new TypeError('baseUrl must be an http(s) URL, without a query.')
}
