import { fixtureApi } from '../fixture-api/fixture-api.ts'
import type { Place } from './places/place.ts'
import { startTestService, type TestService } from './service.ts'

/** Starts a service on the fixture API; its paths start with `/lending/v2`. */
export function startFixtureService(
  environment: Readonly<Record<string, string>> = {},
  place?: Place,
  now?: () => number,
): Promise<TestService> {
  return startTestService(environment, place, {}, now, fixtureApi)
}
