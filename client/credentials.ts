import type { Operation } from './operation.ts'
import { type Credentials, checkKey, type Source, toBearer } from './options.ts'
import { isRecord } from './record.ts'

/** A user name and a password. */
export interface UserPassword {
  readonly username: string
  readonly password: string
}

/** What the credentials of a client may be, by the names of security schemes. */
export type GivenCredentials = Readonly<
  Record<string, Source<string> | Source<UserPassword> | undefined>
>

/**
 * What an operation requires of its rows in `generated/calls.ts`.
 *
 * @example RequirementsOf<{ getTool: { security: [{ oauth: 'bearer' }] } }> // { oauth: 'bearer' }
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
    | (ValueOf<RequirementsOf<Calls>, Name> extends 'basic' ? Source<UserPassword> : Source<string>)
    | undefined
}

/** Combinations of security schemes, with how the credentials of each are sent. */
type Security = NonNullable<Operation['security']>

/**
 * Returns the first combination of schemes whose credentials are all given; throws a `TypeError` if there
 * is none and the operation requires one.
 */
export function chooseSchemes(
  operationId: string,
  security: Security,
  given: GivenCredentials,
): Readonly<Record<string, string>> {
  const isGiven = (name: string) => given[name] !== undefined
  const combinations = security.filter((schemes) => Object.keys(schemes).length > 0)
  const chosen = combinations.find((schemes) => Object.keys(schemes).every(isGiven))
  const isOptional = combinations.length < security.length || security.length === 0
  if (chosen === undefined && !isOptional) {
    const names = combinations.map((schemes) => Object.keys(schemes).join(' and '))
    throw new TypeError(`${operationId} needs credentials: ${names.join(', or ')}.`)
  }
  return chosen ?? {}
}

/** Checks the credentials of one scheme, and returns how they are added to a request. */
export function toCredentials(name: string, form: string, value: unknown): Credentials {
  if (form === 'basic') {
    return toBasic(name, value)
  }

  const key = checkKey(`credentials.${name}`, value)
  const [location = '', ...rest] = form.split(' ')
  const field = rest.join(' ')
  // As they are in a URL, where some of the visible characters are encoded.
  const encoded = encodeURIComponent(key).replaceAll("'", '%27')
  const secrets = [key, encoded]
  switch (location) {
    case 'header':
      return { secrets, addTo: (request) => withHeader(request, field, key) }
    case 'query':
      return { secrets, addTo: (request) => withQuery(request, field, encoded) }
    case 'cookie':
      return { secrets, addTo: (request) => withCookie(request, field, key) }
    default:
      return toBearer(key)
  }
}

/** Returns a user name and a password as credentials of HTTP Basic, in UTF-8 (RFC 7617). */
function toBasic(name: string, value: unknown): Credentials {
  const { username, password } = isRecord(value) ? value : {}
  const isValid =
    typeof username === 'string' && typeof password === 'string' && !username.includes(':')
  if (!isValid) {
    throw new TypeError(
      `credentials.${name} must have a username, without a colon, and a password.`,
    )
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

// Browsers ignore this field; they send the cookies that they have by themselves.
function withCookie(request: Request, name: string, value: string): Request {
  const others = request.headers.get('cookie')
  const pair = `${name}=${value}`
  return withHeader(request, 'Cookie', others === null ? pair : `${others}; ${pair}`)
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
