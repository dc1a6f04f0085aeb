import type { CredentialSource } from './authenticator.ts'
import { readAuthorization } from './authorization-field.ts'

/** A user name and a password, as they were sent. */
export interface BasicCredentials {
  readonly user: string
  readonly password: string
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Reads the user name and the password of a request, which are UTF-8 in base64 (RFC 7617). */
export function readBasicCredentials(
  source: CredentialSource,
): BasicCredentials | 'invalid' | 'absent' {
  const authorization = readAuthorization(source, 'Basic')
  if (typeof authorization === 'string') {
    return authorization
  }

  const decoded = decode(authorization.credentials)
  const colon = decoded?.indexOf(':') ?? -1
  // Control characters are not allowed in either.
  if (decoded === undefined || colon === -1 || /\p{Cc}/u.test(decoded)) {
    return 'invalid'
  }
  return { user: decoded.slice(0, colon), password: decoded.slice(colon + 1) }
}

function decode(base64: string): string | undefined {
  const bytes = Buffer.from(base64, 'base64')
  // Node.js skips characters that are not base64.
  if (bytes.toString('base64') !== base64) {
    return undefined
  }
  try {
    return utf8.decode(bytes)
  } catch {
    return undefined
  }
}
