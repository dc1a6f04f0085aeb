import type { securitySchemes } from '../../generated/operations.ts'
import type { Description } from '../description/description.ts'
import type { Store } from '../store/store.ts'
import { type CheckKey, createApiKeyAuthenticator } from './api-key-authenticator.ts'
import type { Authenticator } from './authenticator.ts'

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
type ApiKeyForm = { readonly type: 'apiKey' }

/** The authenticator of each security scheme of the description, no more and no fewer. */
export type Authenticators = { readonly [Name in keyof Schemes]: Authenticator }

/** Authenticators by the names of the security schemes of any description. */
export type AnyAuthenticators = Readonly<Record<string, Authenticator>>

/** What the platform has for authenticators; `ApiKeyName` are the names of schemes that API keys fit. */
export interface BuiltInAuthenticators<ApiKeyName = string> {
  /** Returns the authenticator of the API keys of the store, which are read where the security scheme says. */
  readonly apiKeys: (name: ApiKeyName) => Authenticator
  readonly store: Store
}

/** What the authenticators of the description are created from. */
export type AuthenticatorOptions = BuiltInAuthenticators<NamesOf<BearerForm | ApiKeyForm>>

/** Returns the authenticators that the platform has, for a description. */
export function createBuiltIns(
  { securitySchemes }: Description,
  store: Store,
  keys: CheckKey,
): BuiltInAuthenticators {
  function formOf(name: string) {
    const scheme = securitySchemes.get(name)
    if (scheme === undefined) {
      throw new Error(`The description has no security scheme ${name}.`)
    }
    return scheme.form
  }

  return {
    apiKeys: (name) => createApiKeyAuthenticator(formOf(name), keys),
    store,
  }
}
