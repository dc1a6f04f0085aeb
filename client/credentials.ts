import { type Credentials, checkKey, type Source, toBearer } from './options.ts'
import { isRecord } from './record.ts'

/** How the credentials of a security scheme are sent. */
export interface Scheme {
  /** The name of the header field, the query parameter or the cookie. */
  readonly name?: string
  readonly send: SendCredentials<never>
}

/** Checks the credentials that an option has, and returns how they are added to a request. */
export type SendCredentials<Value> = (option: string, value: Value, name: string) => Credentials

/** The schemes whose credentials are sent together, by their names. */
export type Combination = Readonly<Record<string, Scheme>>

/** What the credentials of a client may be, by the names of security schemes. */
export type GivenCredentials = Readonly<Record<string, Source<unknown>>>

/**
 * What an operation requires of its rows in `generated/calls.ts`.
 *
 * @example RequirementsOf<{ getTool: { security: [{ oauth: Token }] } }> // { oauth: Token }
 */
type RequirementsOf<Calls> = Calls[keyof Calls] extends infer Call
  ? Call extends { readonly security: readonly (infer Requirement)[] }
    ? Requirement
    : never
  : never

type KeysOf<Union> = Union extends unknown ? keyof Union : never
type ValueOf<Union, Key> = Union extends unknown
  ? Key extends keyof Union
    ? Union[Key]
    : never
  : never

/** The credentials that the operations of an API take, by the names of their security schemes. */
export type CredentialsOf<Calls> = {
  readonly [Name in KeysOf<RequirementsOf<Calls>>]?:
    | SourceOf<ValueOf<RequirementsOf<Calls>, Name>>
    | undefined
}

type SourceOf<Described> = Described extends { readonly send: SendCredentials<infer Value> }
  ? Source<Value>
  : never

/**
 * Returns the first combination of schemes whose credentials are all given; throws a `TypeError` if there
 * is none and the operation requires one.
 */
export function chooseSchemes(
  operationId: string,
  security: readonly Combination[],
  credentials: GivenCredentials,
): Combination {
  const isGiven = (name: string) => credentials[name] !== undefined
  const combinations = security.filter((schemes) => Object.keys(schemes).length > 0)
  const chosen = combinations.find((schemes) => Object.keys(schemes).every(isGiven))
  const isOptional = combinations.length < security.length || security.length === 0
  if (chosen === undefined && !isOptional) {
    const names = combinations.map((schemes) => Object.keys(schemes).join(' and '))
    throw new TypeError(`${operationId} needs credentials: ${names.join(', or ')}.`)
  }
  return chosen ?? {}
}

/** Checks the credentials of a scheme, which JavaScript may give any value, and returns how they are sent. */
export function toCredentials(
  scheme: string,
  { send, name = '' }: Scheme,
  value: unknown,
): Credentials {
  return send(`credentials.${scheme}`, value as never, name)
}

/** Sends a token or a key as the bearer token. */
export const sendBearer: SendCredentials<string> = (option, value) => {
  return toBearer(checkKey(option, value))
}

/** Sends a key in a header field. */
export const sendInHeader: SendCredentials<string> = (option, value, name) => {
  const key = checkKey(option, value)
  return { secrets: [key], addTo: (request) => withHeader(request, name, key) }
}

/** Sends a key in the query. */
export const sendInQuery: SendCredentials<string> = (option, value, name) => {
  const key = checkKey(option, value)
  // An error may contain the URL, in which some of the visible characters are encoded.
  const encoded = encodeURIComponent(key).replaceAll("'", '%27')
  return { secrets: [key, encoded], addTo: (request) => withQuery(request, name, encoded) }
}

/** Sends a key in a cookie. */
export const sendInCookie: SendCredentials<string> = (option, value, name) => {
  const key = checkKey(option, value)
  return { secrets: [key], addTo: (request) => withCookie(request, name, key) }
}

/** A user name and a password. */
export interface UserPassword {
  readonly username: string
  readonly password: string
}

/** Sends a user name and a password by HTTP Basic, in UTF-8 (RFC 7617). */
export const sendBasic: SendCredentials<UserPassword> = (option, value: unknown) => {
  const { username, password } = isRecord(value) ? value : {}
  const isValid =
    typeof username === 'string' && typeof password === 'string' && !username.includes(':')
  if (!isValid) {
    throw new TypeError(`${option} must have a username, without a colon, and a password.`)
  }

  const bytes = new TextEncoder().encode(`${username}:${password}`)
  const token = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
  return {
    // Some services take a key as the user name.
    secrets: [token, username, password],
    addTo: (request) => withHeader(request, 'Authorization', `Basic ${token}`),
  }
}

function withHeader(request: Request, name: string, value: string): Request {
  request.headers.set(name, value)
  return request
}

// Browsers ignore this header field, and send their own cookies.
function withCookie(request: Request, name: string, value: string): Request {
  const cookies = request.headers.get('cookie')
  const pair = `${name}=${value}`
  return withHeader(request, 'Cookie', cookies === null ? pair : `${cookies}; ${pair}`)
}

/** Returns a request with one more query parameter; the URL of a request cannot be changed. */
async function withQuery(request: Request, name: string, encoded: string): Promise<Request> {
  const url = new URL(request.url)
  const separator = url.search === '' ? '?' : '&'
  url.search += `${separator}${encodeURIComponent(name)}=${encoded}`
  // Some browsers cannot read the body of another request as a stream.
  const body = await request.arrayBuffer()
  const { method, headers, signal, redirect, credentials, cache, mode } = request
  const content = body.byteLength > 0 ? { body } : {}
  return new Request(url, {
    ...{ method, headers, signal, redirect, credentials, cache, mode },
    ...content,
  })
}
