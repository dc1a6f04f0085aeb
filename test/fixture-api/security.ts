import type { Api } from '../../server/served-api.ts'

/** Returns the authenticator of the security scheme of the fixture API. */
export const createFixtureAuthenticators: Api['createAuthenticators'] = ({ apiKeys }) => ({
  apiKey: apiKeys('apiKey'),
})
