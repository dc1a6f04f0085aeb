import type { Logger } from 'pino'
import { unavailable } from '../contract/errors.ts'
import { memberOf, toText } from '../description/json.ts'
import { OperatorError } from '../process/operator-error.ts'
import type { Authentication, Authenticator, CredentialSource } from './authenticator.ts'
import { readAuthorization } from './authorization-field.ts'
import { type Discovery, findDiscovery } from './discovery.ts'
import { createPlanChoice, type PlanOptions } from './plan-choice.ts'
import { textsOfTokens } from './scheme-texts.ts'
import { callerOfToken } from './token-caller.ts'
import type { TokenVerifiers } from './token-verifiers.ts'

/** What the configuration says about tokens. */
export interface TokenSettings {
  /** The issuer; an empty text for the one of the description. */
  readonly oidcIssuer: string
  /** What tokens of this API have in `aud`. */
  readonly oidcAudience: string
  readonly isProduction: boolean
}

/** What a security scheme says, what the service has, and what the API chooses. */
export interface TokenOptions extends PlanOptions {
  /** The name of the security scheme. */
  readonly name: string
  readonly openIdConnectUrl?: string | undefined
  /** The claim of tokens that has the name of their plan. */
  readonly planClaim?: string | undefined
  readonly settings: TokenSettings
  readonly verifiers: TokenVerifiers
  readonly log: Logger
}

type FindCaller = (token: string) => Promise<Authentication>

/**
 * Returns the authenticator of a scheme whose credentials are tokens of an identity provider (JWT). Throws
 * an `OperatorError` if the provider or the audience is unknown in production; elsewhere, no token of a
 * provider is accepted then.
 */
export function createTokenAuthenticator(options: TokenOptions): Authenticator {
  const findCaller = createFindCaller(options)
  return {
    ...textsOfTokens,
    async authenticate(source: CredentialSource): Promise<Authentication> {
      const authorization = readAuthorization(source, 'Bearer')
      return typeof authorization === 'string'
        ? authorization
        : findCaller(authorization.credentials)
    },
  }
}

function createFindCaller(options: TokenOptions): FindCaller {
  const { name, openIdConnectUrl, planClaim = '', settings, verifiers, log } = options
  const { oidcIssuer, oidcAudience, isProduction } = settings
  const chooseQuota = createPlanChoice(name, options)
  const discovery = findDiscovery(oidcIssuer, openIdConnectUrl)
  const problems = problemsOf(name, discovery, oidcAudience)
  if (discovery === undefined || problems.length > 0) {
    if (isProduction) {
      throw new OperatorError(problems.join('\n'))
    }
    log.warn({ problems }, 'tokens: those of an identity provider are not accepted')
    return async () => 'invalid'
  }

  const opening = verifiers.open(discovery)
  return async function findCaller(token) {
    const verifier = await opening
    const result = await verifier.verify(token)
    if (result === 'invalid') {
      return 'invalid'
    }
    if (result === 'unavailable') {
      throw unavailable('Tokens cannot be checked now.', 1)
    }
    const plan = toText(memberOf(result, planClaim))
    return callerOfToken(result, chooseQuota(plan))
  }
}

/** Returns a line for each thing that an operator has to configure. */
function problemsOf(name: string, discovery: Discovery | undefined, audience: string): string[] {
  const problems: string[] = []
  if (discovery === undefined) {
    problems.push(
      `The security scheme "${name}" needs an issuer of tokens. Set OIDC_ISSUER to the URL of the identity provider, such as https://login.example.`,
    )
  }
  if (audience === '') {
    problems.push(
      `The security scheme "${name}" needs the audience of its tokens. Set OIDC_AUDIENCE to what the identity provider writes into "aud" for this API, such as https://api.example.`,
    )
  }
  return problems
}
