import {
  apiKeyTexts,
  credentialTexts,
  passwordTexts,
  tokenTexts,
} from '../description/credential-texts.ts'
import type { Description } from '../description/description.ts'
import type { JsonObject } from '../description/json.ts'
import { credentialKind, type SecurityScheme } from '../description/security.ts'
import { apiName } from '../process/names.ts'
import type { SchemeTexts } from './authenticator.ts'

/** The texts of bearer tokens. */
export const textsOfTokens: SchemeTexts = { ...tokenTexts, challenge: 'Bearer' }

/** The texts of HTTP basic (RFC 7617). */
export const textsOfBasic: SchemeTexts = {
  ...passwordTexts,
  challenge: `Basic realm="${apiName}", charset="UTF-8"`,
}

/** Returns the texts of API keys that are sent as a security scheme says. */
export function textsOfApiKeys(form: JsonObject): SchemeTexts {
  return { ...apiKeyTexts(form), challenge: challengeOfApiKeys(form) }
}

function challengeOfApiKeys({ type, in: location, name }: JsonObject): string {
  if (type !== 'apiKey') {
    return 'Bearer'
  }
  // No scheme is registered for API keys (RFC 9110, section 16.4.1); clients ignore one that they do not know.
  return `ApiKey in="${location}", name="${encodeURIComponent(String(name))}"`
}

/** Returns the texts that the authenticators of a description have, as far as the description tells. */
export function textsOfSchemes({ securitySchemes }: Pick<Description, 'securitySchemes'>) {
  const rows = Array.from(securitySchemes.values(), (scheme) => {
    return [scheme.name, textsOf(scheme)] as const
  })
  return Object.fromEntries(rows)
}

/** Returns the texts of a security scheme. */
export function textsOf(scheme: Pick<SecurityScheme, 'form' | 'bearerFormat'>): SchemeTexts {
  return { ...credentialTexts(scheme), challenge: challengeOf(scheme) }
}

function challengeOf(scheme: Pick<SecurityScheme, 'form' | 'bearerFormat'>): string {
  const { form } = scheme
  switch (credentialKind(scheme)) {
    case 'apiKey':
      return challengeOfApiKeys(form)
    case 'token':
      return textsOfTokens.challenge
    case 'password':
      return textsOfBasic.challenge
    default:
      return String(form['scheme'] ?? form['type'])
  }
}
