import { ApiError } from '../contract/errors.ts'
import { isScopeToken } from '../description/security.ts'
import type { SchemeTexts } from './authenticator.ts'
import { type RequiredScheme, type Requirements, schemeNames } from './requirements.ts'

/** The texts of security schemes by name. */
export type AllTexts = Readonly<Record<string, SchemeTexts>>

/** Returns the credentials that would be accepted, in words such as `API key or token`. */
export function acceptedCredentials(requirements: Requirements, texts: AllTexts): string {
  const nouns = schemeNames(requirements).map((name) => textsFor(name, texts).credential)
  return joinOnce(nouns, ' or ')
}

/** Returns the error of a request without the credentials that it needs; `invalid` names the schemes with invalid credentials. */
export function unauthorized(
  requirements: Requirements,
  texts: AllTexts,
  invalid: readonly string[],
): ApiError {
  const challenges = schemeNames(requirements).map((name) => {
    const { challenge } = textsFor(name, texts)
    // A request without credentials gets no error (RFC 6750, section 3.1).
    return invalid.includes(name) ? addToBearer(challenge, 'error="invalid_token"') : challenge
  })
  const headers = { 'WWW-Authenticate': joinOnce(challenges, ', ') }
  if (invalid.length === 0) {
    const message = adviceOn(requirements, texts)
    return new ApiError({ status: 401, code: 'missing_api_key' }, message, { headers })
  }

  const nouns = invalid.map((name) => textsFor(name, texts).credential)
  const message = `The ${joinOnce(nouns, ' or ')} is not valid.`
  return new ApiError({ status: 401, code: 'invalid_api_key' }, message, { headers })
}

/** Returns the error of a request whose credentials lack a scope (RFC 6750, section 3.1). */
export function insufficientScope({ name, scopes }: RequiredScheme, texts: AllTexts): ApiError {
  const { credential, challenge } = textsFor(name, texts)
  const list = scopes.join(' ')
  const message = `The ${credential} lacks a scope that this operation requires: ${list}.`
  // A header field cannot have the others.
  const sendable = scopes.filter(isScopeToken)
  const named = sendable.length === 0 ? '' : `, scope="${sendable.join(' ')}"`
  const parameters = `error="insufficient_scope"${named}`
  const headers = { 'WWW-Authenticate': addToBearer(challenge, parameters) }
  return new ApiError({ status: 403, code: 'insufficient_scope' }, message, { headers })
}

/** Returns what a request must have, a sentence for each scheme. */
function adviceOn({ alternatives }: Requirements, texts: AllTexts): string {
  const adviceOnAlternatives = alternatives.map((schemes) => {
    const sentences = schemes.map(({ name }) => textsFor(name, texts).advice)
    return joinOnce(sentences, ' ')
  })
  return joinOnce(adviceOnAlternatives, ' Or: ')
}

/** Adds parameters of an error to a challenge, if its scheme is Bearer: other schemes do not define them. */
function addToBearer(challenge: string, parameters: string): string {
  if (!/^Bearer\b/i.test(challenge)) {
    return challenge
  }
  const separator = challenge.includes(' ') ? ', ' : ' '
  return `${challenge}${separator}${parameters}`
}

function joinOnce(texts: readonly string[], separator: string): string {
  return [...new Set(texts)].join(separator)
}

function textsFor(name: string, texts: AllTexts): SchemeTexts {
  const textsOfScheme = texts[name]
  if (textsOfScheme === undefined) {
    throw new Error(`The security scheme ${name} has no authenticator.`)
  }
  return textsOfScheme
}
