import { Agent } from 'node:http'
import { onTestFinished } from 'vitest'
import { createSqlitePlace } from '../../support/places/sqlite-place.ts'
import { startTestService, type TestService } from '../../support/service.ts'
import { createCallers } from './callers.ts'
import { watchRows } from './rows.ts'

/** What the run is held against. */
export interface Target {
  readonly origin: string
  readonly agent: Agent
  /** A key of a caller who has asked for nothing yet. */
  readonly newCaller: () => Promise<string>
  /** The key of one caller who asks for what is refused. */
  readonly apiKey: string
  /** Something that is another when anything that is kept has changed. */
  readonly state: () => unknown
}

/** Limits that no run reaches: they are not the point here, and their headers are. */
export const environment = { ANONYMOUS_PER_MINUTE: '1000000' }

/** Starts the service on a store of its own. */
export async function startTarget(): Promise<Target> {
  const place = await createSqlitePlace()
  const service = await startTestService(environment, place)
  return toTarget(service, watchRows(place.file))
}

function toTarget({ origin, apiKey, issue }: TestService, state: () => unknown): Target {
  return {
    ...reach(origin),
    apiKey,
    state,
    newCaller: createCallers(async () => (await issue()).key),
  }
}

/** The connections to an origin; they end with the test. */
export function reach(origin: string): Pick<Target, 'origin' | 'agent'> {
  const agent = new Agent({ keepAlive: true })
  onTestFinished(() => agent.destroy())
  return { origin, agent }
}
