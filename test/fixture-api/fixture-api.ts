import type { Api } from '../../server/served-api.ts'
import description from './generated/openapi.json' with { type: 'json' }
import { basePath, operations, settings } from './generated/operations.ts'
import { createFixtureHandlers, fixtureSchema } from './handlers.ts'
import { fixturePlans } from './plans.ts'
import { createFixtureAuthenticators } from './security.ts'

/** The API that the tests of the platform run on. */
export const fixtureApi: Api = {
  description,
  operations,
  basePath,
  settings,
  version: description.info.version,
  title: description.info.title,
  referencePage: new URL('generated/reference.html', import.meta.url),
  schema: fixtureSchema,
  plans: fixturePlans,
  createHandlers: createFixtureHandlers,
  createAuthenticators: createFixtureAuthenticators,
}
