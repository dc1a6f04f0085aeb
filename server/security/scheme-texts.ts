import type { Description } from '../description/description.ts'
import type { JsonObject } from '../description/json.ts'
import type { SecurityScheme } from '../description/security.ts'
import { apiName } from '../process/names.ts'
import type { SchemeTexts } from './authenticator.ts'

/** The texts of bearer tokens. */
export const textsOfTokens: SchemeTexts = {
  credential: 'token',
  challenge: 'Bearer',
  advice: 'Send a token: Authorization: Bearer <TOKEN>.',
}

/** The texts of HTTP basic (RFC 7617). */
export const textsOfBasic: SchemeTexts = {
  credential: 'password',
  challenge: `Basic realm="${apiName}", charset="UTF-8"`,
  advice: 'Send a user name and a password: Authorization: Basic <CREDENTIALS>.',
}

/** Returns the texts of API keys that are sent as a security scheme says. */
export function textsOfApiKeys({ type, in: location, name }: JsonObject): SchemeTexts {
  const credential = 'API key'
  if (type !== 'apiKey') {
    const advice = 'Send an API key: Authorization: Bearer <API_KEY>.'
    return { credential, challenge: 'Bearer', advice }
  }

  const field = encodeURIComponent(String(name))
  // No scheme is registered for API keys (RFC 9110, section 16.4.1); clients ignore one that they do not know.
  const challenge = `ApiKey in="${location}", name="${field}"`
  const forms = new Map<unknown, string>([
    ['query', `?${field}=<API_KEY>`],
    ['cookie', `Cookie: ${field}=<API_KEY>`],
  ])
  const form = forms.get(location) ?? `${field}: <API_KEY>`
  return { credential, challenge, advice: `Send an API key: ${form}.` }
}

/** Returns the texts that the authenticators of a description have, as far as the description tells. */
export function textsOfSchemes({ securitySchemes }: Pick<Description, 'securitySchemes'>) {
  const rows = Array.from(securitySchemes.values(), (scheme) => {
    return [scheme.name, textsOf(scheme)] as const
  })
  return Object.fromEntries(rows)
}

/** Returns the texts of a security scheme. */
export function textsOf({ form }: SecurityScheme): SchemeTexts {
  const { type, scheme } = form
  const isApiKey = type === 'apiKey' || (type === 'http' && scheme === 'bearer')
  if (isApiKey) {
    return textsOfApiKeys(form)
  }
  if (scheme === 'basic') {
    return textsOfBasic
  }
  if (type === 'oauth2' || type === 'openIdConnect') {
    return textsOfTokens
  }
  const challenge = String(scheme ?? type)
  return { credential: 'credentials', challenge, advice: `Send credentials: ${challenge}.` }
}
