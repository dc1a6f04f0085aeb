import type { Api } from '../../server/api.ts'
import { fixtureApi } from '../fixture-api/fixture-api.ts'
import { startTestService, type TestService } from './service.ts'

type Handlers = ReturnType<Api['createHandlers']>
type Json = ReturnType<typeof JSON.parse>

/** Changes of the fixture API. */
export interface Changes {
  readonly handlers?: Handlers
  /** Changes a copy of the description that is served. */
  readonly edit?: (description: Json) => void
  /** Changes of what the service knows of operations, by operationId. */
  readonly operations?: Readonly<Record<string, object>>
}

/** Returns the fixture API with other handlers or another description. */
export function fixtureWith({ handlers = {}, edit, operations = {} }: Changes = {}): Api {
  const description: Json = structuredClone(fixtureApi.description)
  edit?.(description)
  const changed = Object.entries(fixtureApi.operations).map(([name, operation]) => {
    return [name, { ...operation, ...operations[name] }] as const
  })
  return {
    ...fixtureApi,
    description,
    operations: Object.fromEntries(changed),
    createHandlers: (options) => ({ ...fixtureApi.createHandlers(options), ...handlers }),
  }
}

/** Starts a service on the fixture API with changes. */
export function startFixtureWith(
  changes: Changes = {},
  environment: Readonly<Record<string, string>> = {},
): Promise<TestService> {
  return startTestService(environment, undefined, {}, fixtureWith(changes))
}
