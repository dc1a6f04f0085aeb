import type { CredentialSource } from './authenticator.ts'

/** The credentials that `Authorization` has, after the name of the authentication scheme. */
export type SentCredentials = { readonly credentials: string } | 'invalid' | 'absent'

const form = /^([A-Za-z]+) +([\w.~+/-]+=*)$/

/** The name of an authentication scheme, at the start of a field or a challenge. */
const schemeName = /^[A-Za-z]+/

/** Returns the name of the authentication scheme in a text such as `Bearer <TOKEN>`, in lower case. */
export function schemeNameOf(text: string): string | undefined {
  return schemeName.exec(text)?.[0].toLowerCase()
}

/**
 * Reads the credentials of an authentication scheme, such as `Bearer`, from `Authorization` (RFC 9110,
 * section 11.6.2). Two fields, and those of another scheme, are invalid.
 */
export function readAuthorization(
  { headers }: CredentialSource,
  scheme: 'Basic' | 'Bearer',
): SentCredentials {
  const [field = '', ...otherFields] = headers['authorization'] ?? []
  if (otherFields.length > 0) {
    return 'invalid'
  }
  if (field.trim() === '') {
    return 'absent'
  }

  const [, name = '', credentials = ''] = form.exec(field) ?? []
  return name.toLowerCase() === scheme.toLowerCase() ? { credentials } : 'invalid'
}
