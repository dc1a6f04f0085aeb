import type { CredentialKind } from '../../../server/description/security.ts'
import { type About, becomes, type Changed, type Named, rule, show, wasChanged } from './rule.ts'

/** Credentials, in words such as "`apiKey` with `admin`". */
interface Credentials {
  readonly credentials: string
  readonly isPlural: boolean
}

const states = (state: string) => (facts: Credentials) =>
  `${facts.credentials} ${facts.isPlural ? 'are' : 'is'} ${state}`
const ofFlow =
  (state: string) =>
  ({ subject, name }: Named) =>
    `${show(name)} of ${subject} ${state}`

/** A security scheme with other credentials than before. */
interface OtherCredentials extends About {
  readonly before: CredentialKind
  readonly after: CredentialKind
}

const words: Readonly<Record<CredentialKind, string>> = {
  apiKey: 'API keys',
  token: 'tokens of an identity provider',
  password: 'passwords',
  other: 'other credentials',
}

const otherCredentials = ({ subject, before, after }: OtherCredentials) =>
  `the credentials of ${subject} are now ${words[after]}; they were ${words[before]}`

const unauthorized = 'Requests without these credentials are rejected with 401.'
const accepted = 'Requests with the credentials of today are accepted.'
const rejected = 'Requests with the credentials of today are rejected.'

export const securityRules = {
  'api-security-added': rule(
    'credentials are required where none were',
    'major',
    states('now required'),
    unauthorized,
  ),
  'api-security-removed': rule(
    'credentials that were accepted no longer are',
    'major',
    states('no longer accepted'),
    rejected,
  ),
  'api-security-scope-added': rule(
    'a scope is required, too',
    'major',
    states('now required'),
    'Requests with a token without this scope are rejected with 403.',
  ),
  'api-security-no-longer-required': rule(
    'fewer credentials are required',
    'minor',
    states('no longer required'),
    accepted,
  ),
  'api-security-alternative-added': rule(
    'other credentials are accepted, too',
    'minor',
    states('now accepted'),
    accepted,
  ),
  'client-credentials-renamed': rule(
    'the client takes the credentials of a scheme by another option',
    'major',
    ({ before, after }: Pick<Changed, 'before' | 'after'>) =>
      `the option ${show(before)} of the client is now ${show(after)}`,
    'Requests are the same; code that creates a client passes its credentials by the new option.',
  ),
  'api-security-component-type-changed': rule(
    'credentials of a scheme are sent in another way',
    'major',
    wasChanged,
    'Requests that send them as today are rejected with 401.',
  ),
  'api-security-component-credentials-changed': rule(
    'other credentials are sent in the same way, as `bearerFormat` says',
    'major',
    otherCredentials,
    'Requests with the credentials of today are rejected with 401.',
  ),
  'api-security-component-deprecated': rule(
    'a security scheme is deprecated',
    'minor',
    becomes('now deprecated'),
    'Its credentials are accepted as before.',
  ),
  'api-security-component-reactivated': rule(
    'a security scheme is no longer deprecated',
    'minor',
    becomes('no longer deprecated'),
    'Code that uses it can stay.',
  ),
  'api-security-component-openid-connect-url-changed': rule(
    'another identity provider issues the tokens',
    'major',
    wasChanged,
    'Requests with tokens of the old identity provider are rejected with 401.',
  ),
  'api-security-component-oauth-url-added': rule(
    'a URL of OAuth is new',
    'minor',
    ofFlow('is new'),
    'Clients that ask for tokens at the other addresses are not affected.',
  ),
  'api-security-component-oauth-url-changed': rule(
    'a URL of OAuth is another one, or was removed',
    'major',
    wasChanged,
    'Clients that ask for tokens at the old address fail.',
  ),
  'api-security-component-oauth-flow-added': rule(
    'a flow of OAuth is new',
    'minor',
    ofFlow('is new'),
    'The other flows are as before.',
  ),
  'api-security-component-oauth-flow-removed': rule(
    'a flow of OAuth was removed',
    'major',
    ofFlow('was removed'),
    'Clients that use it get no token.',
  ),
  'api-security-component-oauth-scope-added': rule(
    'a scope of OAuth is new',
    'minor',
    ofFlow('is new'),
    'Clients that do not ask for it are not affected.',
  ),
  'api-security-component-oauth-scope-removed': rule(
    'a scope of OAuth was removed',
    'minor',
    ofFlow('was removed'),
    'No request needs it; the provider decides whether it still gives it.',
  ),
}
