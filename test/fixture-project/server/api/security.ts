export { createFixtureAuthenticators as createAuthenticators } from '../../test/fixture-api/security.ts'
