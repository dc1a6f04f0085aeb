/** Reads a value, or says what is allowed. */
export interface Reader<Value> {
  readonly allowed: string
  readonly parse: (value: string) => Value | undefined
}

/** A URL, or what was meant to be one, as it may be shown. */
export function withoutCredentials(value: string): string {
  // What stands before the @ of a URL may be a password, with or without slashes, and so may what a
  // parameter calls one, and a port that is none; messages end up in logs.
  return value
    .replace(/^([\w+.-]+:)?(\/\/)?.*@/s, '$1$2***@')
    .replace(/^(\w+:\/\/[^/?#@[\]]*:)(?!\d{0,5}(?:[/?#]|$))[^/?#]*/, '$1***')
    .replaceAll(/((?:password|secret|token)=)[^&\s]*/gi, '$1***')
}

/** Where a store is. */
export const storeUrl: Reader<string> = {
  allowed: 'sqlite:FILE, sqlite::memory:, or postgres://USER:PASSWORD@HOST:PORT/DATABASE',
  parse: (value) => (isSqliteUrl(value) || isPostgresUrl(value) ? value : undefined),
}

// With two slashes the folder that follows would be taken for one at the root of the disk, and
// SQLite takes a name that begins with `file:` for a URI.
function isSqliteUrl(value: string): boolean {
  return /^sqlite:(?!\/\/[^/]|file:)./.test(value)
}

// An @ further on belongs to a password that is not percent-encoded, and would be shown as a host.
function isPostgresUrl(value: string): boolean {
  return (
    /^postgres(ql)?:\/\/([^/?#@]*@)?[^/?#@]*\/[^/?#@]+(\?[^#@]*)?$/.test(value) &&
    URL.canParse(value)
  )
}

/** Where Redis or Valkey is; empty where there is none. */
export const redisUrl: Reader<string> = {
  allowed:
    'redis://HOST:PORT/NUMBER, or rediss://… for TLS, with USER:PASSWORD@ where Redis asks for it',
  parse: (value) => (value === '' || isRedisUrl(value) ? value : undefined),
}

function isRedisUrl(value: string): boolean {
  if (!/^rediss?:\/\/[^/?#]+(\/\d*)?$/.test(value) || !URL.canParse(value)) return false
  const { hostname, username, password } = new URL(value)
  return hostname !== '' && isDecodable(username) && isDecodable(password)
}

function isDecodable(part: string): boolean {
  try {
    decodeURIComponent(part)
    return true
  } catch {
    return false
  }
}

/** Origins as browsers send them. */
export const origins: Reader<readonly string[]> = {
  allowed: 'a comma list of origins such as https://app.example, without a path',
  parse(value) {
    const list = value === '' ? [] : value.split(',').map((origin) => origin.trim())
    return list.every((origin) => URL.canParse(origin) && new URL(origin).origin === origin)
      ? list
      : undefined
  },
}
