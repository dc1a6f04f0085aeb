import type { Logger } from 'pino'
import type { securitySchemes } from '../../generated/operations.ts'
import type { Description } from '../description/description.ts'
import { toText } from '../description/json.ts'
import type { SecurityScheme } from '../description/security.ts'
import { OperatorError } from '../process/operator-error.ts'
import type { Store } from '../store/store.ts'
import { ApiKeyAuthenticator, type CheckKey } from './api-key-authenticator.ts'
import type { Authenticator } from './authenticator.ts'
import {
  type BasicOptions,
  type CheckPassword,
  createBasicAuthenticator,
} from './basic-authenticator.ts'
import type { PlanOptions } from './plan-choice.ts'
import type { Plans } from './plans.ts'
import { textsOf } from './scheme-texts.ts'
import {
  createTokenAuthenticator,
  type TokenOptions,
  type TokenSettings,
} from './token-authenticator.ts'
import { TokenVerifiers } from './token-verifiers.ts'
import { UpstreamAuthenticator } from './upstream-authenticator.ts'

type Schemes = typeof securitySchemes

/**
 * The names of the security schemes of the description that are described in a form.
 *
 * @example NamesOf<{ type: 'http'; scheme: 'bearer' }> // "apiKey"
 */
type NamesOf<Form> = {
  [Name in keyof Schemes]: Schemes[Name] extends Form ? Name : never
}[keyof Schemes]

type BearerForm = { readonly type: 'http'; readonly scheme: 'bearer' }
type BasicForm = { readonly type: 'http'; readonly scheme: 'basic' }
type ApiKeyForm = { readonly type: 'apiKey' }
type ProviderForm = { readonly type: 'oauth2' | 'openIdConnect' }
/** A scheme whose credentials are in the request. */
type SentForm = { readonly type: 'http' | 'apiKey' | 'oauth2' | 'openIdConnect' }

/** The authenticator of each security scheme of the description, no more and no fewer. */
export type Authenticators = { readonly [Name in keyof Schemes]: Authenticator }

/** Authenticators by the names of the security schemes of any description. */
export type AnyAuthenticators = Readonly<Record<string, Authenticator>>

/** How callers with tokens get their plan. */
type TokenPlans = Pick<TokenOptions, 'plan' | 'planClaim'>

/** What the platform has for authenticators; the parameters are the names of schemes that each fits. */
export interface BuiltInAuthenticators<
  ApiKeyName = string,
  TokenName = string,
  BasicName = string,
  SentName = string,
  SchemeName = string,
> {
  /** Returns the authenticator of the API keys of the store, which are read where the security scheme says. */
  readonly apiKeys: (name: ApiKeyName) => Authenticator
  /** Returns the authenticator of the tokens of an identity provider (JWT, OpenID Connect). */
  readonly tokens: (name: TokenName, plans?: TokenPlans) => Authenticator
  /** Returns the authenticator of users with a password, which a function checks. */
  readonly basic: (
    name: BasicName,
    checkPassword: CheckPassword,
    plans?: Pick<BasicOptions, 'plan'>,
  ) => Authenticator
  /**
   * Returns the authenticator that lets every credential pass, because the upstream checks it: for a scheme of
   * operations without a handler, which are forwarded.
   */
  readonly passToUpstream: (name: SentName, plans?: Pick<PlanOptions, 'plan'>) => Authenticator
  /** Returns the authenticator of a scheme that nothing checks yet: no credentials are accepted. */
  readonly unchecked: (name: SchemeName) => Authenticator
  readonly store: Store
}

/** What the authenticators of the description are created from. */
export type AuthenticatorOptions = BuiltInAuthenticators<
  NamesOf<BearerForm | ApiKeyForm>,
  NamesOf<BearerForm | ProviderForm>,
  NamesOf<BasicForm>,
  NamesOf<SentForm>,
  keyof Schemes
>

/** What the service has for authenticators. */
interface ServiceParts {
  readonly store: Store
  readonly keys: CheckKey
  readonly plans: Plans
  readonly settings: TokenSettings & { readonly upstream: { readonly url: string } }
  readonly log: Logger
}

/**
 * Creates the authenticators of an API for its description. Throws an `OperatorError` with all that their
 * configuration lacks, whichever scheme needs it.
 */
export function openAuthenticators(
  create: (builtIns: BuiltInAuthenticators) => AnyAuthenticators,
  description: Description,
  parts: ServiceParts,
): AnyAuthenticators {
  const problems: string[] = []
  const authenticators = create(createBuiltIns(description, parts, problems))
  if (problems.length > 0) {
    throw new OperatorError(problems.join('\n'))
  }
  return authenticators
}

/** Returns the authenticators that the platform has; adds to `problems` what their configuration lacks. */
function createBuiltIns(
  { securitySchemes }: Description,
  { store, keys, plans, settings, log }: ServiceParts,
  problems: string[],
): BuiltInAuthenticators {
  function schemeOf(name: string): SecurityScheme {
    const scheme = securitySchemes.get(name)
    if (scheme === undefined) {
      throw new Error(`The description has no security scheme ${name}.`)
    }
    return scheme
  }

  function createUnchecked(name: string): Authenticator {
    return { ...textsOf(schemeOf(name)), authenticate: async () => 'absent' }
  }

  /** Creates an authenticator; one that is not configured is replaced until all problems are known. */
  function createConfigured(name: string, create: () => Authenticator): Authenticator {
    try {
      return create()
    } catch (error) {
      if (!(error instanceof OperatorError)) {
        throw error
      }
      problems.push(error.message)
      return createUnchecked(name)
    }
  }

  const verifiers = new TokenVerifiers(settings.oidcAudience, log)
  return {
    apiKeys: (name) => new ApiKeyAuthenticator(schemeOf(name).form, keys),
    tokens(name, choice) {
      const openIdConnectUrl = toText(schemeOf(name).form['openIdConnectUrl'])
      const options = { name, openIdConnectUrl, plans, settings, verifiers, log }
      return createConfigured(name, () => createTokenAuthenticator({ ...options, ...choice }))
    },
    basic(name, checkPassword, choice) {
      const options = { name, checkPassword, plans, ...choice }
      return createConfigured(name, () => createBasicAuthenticator(options))
    },
    passToUpstream(name, choice) {
      const { secret } = store
      const hasUpstream = settings.upstream.url !== ''
      const options = { scheme: schemeOf(name), hasUpstream, secret, plans, ...choice }
      return createConfigured(name, () => new UpstreamAuthenticator(options))
    },
    unchecked: createUnchecked,
    store,
  }
}
