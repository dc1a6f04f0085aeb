import { errorObject } from '../../server/contract/error-format.ts'
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
  codeSamples: new URL('generated/reference/code-samples.json', import.meta.url),
  errorFormat: errorObject,
  schema: fixtureSchema,
  plans: fixturePlans,
  createHandlers: createFixtureHandlers,
  createAuthenticators: createFixtureAuthenticators,
}
