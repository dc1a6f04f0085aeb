const serverForm = 'postgres://USER:PASSWORD@HOST:PORT/DATABASE'

/** The forms of a store's URL, for messages. */
export const storeUrlForms = `sqlite:FILE, sqlite::memory:, or ${serverForm}`

/** The forms of the URL of a store that outlives a process, for messages. */
export const lastingUrlForms = `sqlite:FILE or ${serverForm}`

/** The forms of a Redis URL, for messages. */
export const redisUrlForms =
  'redis://HOST:PORT/NUMBER, or rediss://… for TLS, with USER:PASSWORD@ where Redis asks for it'

/** Returns whether a text is the URL of a store. */
export function isStoreUrl(value: string): boolean {
  return isSqliteUrl(value) || isPostgresUrl(value)
}

// With two slashes the folder that follows would be taken for one at the root of the disk, and
// SQLite takes a name that begins with `file:` for a URI.
function isSqliteUrl(value: string): boolean {
  return /^sqlite:(?!\/\/[^/]|file:)./.test(value)
}

// An @ further on belongs to a password that is not percent-encoded, and would be shown as a host.
function isPostgresUrl(value: string): boolean {
  const form = /^postgres(ql)?:\/\/([^/?#@]*@)?[^/?#@]*\/[^/?#@]+(\?[^#@]*)?$/
  if (!form.test(value) || !URL.canParse(value)) return false
  const { hostname, username, password, pathname } = new URL(value)
  return [hostname, username, password, pathname].every(isDecodable)
}

/** Returns whether a text is the URL of a Redis. */
export function isRedisUrl(value: string): boolean {
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

/**
 * Returns a URL without its credentials, for messages. A password may be before the @, with or
 * without slashes, in a parameter, or where a port should be.
 */
export function withoutCredentials(value: string): string {
  return value
    .replace(/^([\w+.-]+:)?(\/\/)?.*@/s, '$1$2***@')
    .replace(/^(\w+:\/\/[^/?#@[\]]*:)(?!\d{0,5}(?:[/?#]|$))[^/?#]*/, '$1***')
    .replaceAll(/((?:password|secret|token)=)[^&\s]*/gi, '$1***')
}
