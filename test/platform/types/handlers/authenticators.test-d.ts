import type { Handler } from '../server/contract/handler.ts'
import type { AuthenticatorOptions, Authenticators } from '../server/served-api.ts'
import type { Equal, Expect } from './equal.ts'

// As `handlers.test-d.ts`: the description has one security scheme, `apiKey`, of bearer tokens.

declare const options: AuthenticatorOptions
const apiKey = options.apiKeys('apiKey')

// The table has an authenticator for each security scheme.
export const complete: Authenticators = { apiKey }
// @ts-expect-error the authenticator of apiKey is missing
export const empty: Authenticators = {}
// @ts-expect-error the description has no scheme session
export const excessive: Authenticators = { apiKey, session: apiKey }

// A built-in authenticator fits the schemes that it can read.
// @ts-expect-error the description has no scheme session
options.apiKeys('session')
// @ts-expect-error credentials of apiKey are no password
options.basic('apiKey', async () => undefined)

// A handler sees who calls, with the scopes and claims of tokens.
type Caller = NonNullable<Parameters<Handler<'getTool'>>[1]['caller']>
export type CallerId = Expect<Equal<Caller['id'], string>>
export type Scopes = Expect<Equal<Caller['scopes'], ReadonlySet<string> | undefined>>
declare const caller: Caller
// @ts-expect-error a claim may be anything
export const subject: string = caller.claims['sub']
