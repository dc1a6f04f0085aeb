import { fixtureApi } from '../../../fixture-api/fixture-api.ts'
import { startTestService, type TestService } from '../../../helpers/service.ts'

type Handlers = ReturnType<typeof fixtureApi.createHandlers>

/** Starts a service on the fixture API, with some handlers of the test in place of its own. */
export function startWithHandlers(
  handlers: Handlers,
  environment: Readonly<Record<string, string>> = {},
  now?: () => number,
): Promise<TestService> {
  return startTestService(environment, undefined, {}, now, {
    ...fixtureApi,
    createHandlers: (options) => ({ ...fixtureApi.createHandlers(options), ...handlers }),
  })
}
