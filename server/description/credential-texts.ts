import type { JsonObject } from './json.ts'
import { credentialKind, type SecurityScheme } from './security.ts'

/** How messages name the credentials of a security scheme. */
export interface CredentialTexts {
  /** The credentials, in a noun for messages: `API key`, `token` or `password`. */
  readonly credential: string
  /** What a request must have, for people: a sentence such as `Send an API key: Authorization: Bearer <API_KEY>.` */
  readonly advice: string
}

/** The texts of bearer tokens. */
export const tokenTexts: CredentialTexts = {
  credential: 'token',
  advice: 'Send a token: Authorization: Bearer <TOKEN>.',
}

/** The texts of HTTP basic (RFC 7617). */
export const passwordTexts: CredentialTexts = {
  credential: 'password',
  advice: 'Send a user name and a password: Authorization: Basic <CREDENTIALS>.',
}

/** Returns the texts of API keys that are sent as a security scheme says. */
export function apiKeyTexts({ type, in: location, name }: JsonObject): CredentialTexts {
  const credential = 'API key'
  if (type !== 'apiKey') {
    return { credential, advice: 'Send an API key: Authorization: Bearer <API_KEY>.' }
  }

  const field = encodeURIComponent(String(name))
  const forms = new Map<unknown, string>([
    ['query', `?${field}=<API_KEY>`],
    ['cookie', `Cookie: ${field}=<API_KEY>`],
  ])
  const form = forms.get(location) ?? `${field}: <API_KEY>`
  return { credential, advice: `Send an API key: ${form}.` }
}

/** Returns the texts of the credentials of a security scheme. */
export function credentialTexts(
  scheme: Pick<SecurityScheme, 'form' | 'bearerFormat'>,
): CredentialTexts {
  const { form } = scheme
  switch (credentialKind(scheme)) {
    case 'apiKey':
      return apiKeyTexts(form)
    case 'token':
      return tokenTexts
    case 'password':
      return passwordTexts
    default:
      return {
        credential: 'credentials',
        advice: `Send credentials: ${form['scheme'] ?? form['type']}.`,
      }
  }
}
