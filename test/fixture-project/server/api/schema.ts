export { fixtureSchema as schema } from '../../test/fixture-api/handlers.ts'
