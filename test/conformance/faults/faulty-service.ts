import { type Logger, pino } from 'pino'
import { onTestFinished } from 'vitest'
import { issueKey } from '../../../server/access/issue.ts'
import { type Config, readConfig } from '../../../server/config.ts'
import { type Service, startService } from '../../../server/service.ts'
import type { AnimalStore } from '../../../server/store/animal-store.ts'
import { openStore } from '../../../server/store/open-store.ts'
import type { Store } from '../../../server/store/store.ts'
import { createSqlitePlace } from '../../support/places/sqlite-place.ts'
import { roomy } from '../../support/service.ts'
import { createCallers } from '../support/callers.ts'
import { watchRows } from '../support/rows.ts'
import { environment, reach, type Target } from '../support/target.ts'

/** Starts whatever answers, given what it is configured with and where it keeps things. */
export type Start = (
  config: Config,
  store: Store,
  log: Logger,
) => Promise<Pick<Service, 'origin' | 'stop'>>

/** Starts a service that is not the one which is delivered, on a store of its own. */
export async function startFaulty(start: Start): Promise<Target> {
  const place = await createSqlitePlace()
  const config = readConfig({ PORT: '0', DATABASE_URL: place.url, ...environment })
  const store = await openStore(place.url)
  const service = await start(config, store, pino({ enabled: false }))
  onTestFinished(async () => {
    await service.stop()
    await store.close()
  })
  const newCaller = createCallers(async () => {
    const { key, record } = issueKey(roomy)
    await store.keys.add(record)
    return key
  })
  const apiKey = await newCaller()
  return { ...reach(service.origin), apiKey, newCaller, state: watchRows(place.file) }
}

/** Starts the service on animals that are not kept as they should be. */
export function startOn(change: (animals: AnimalStore) => Partial<AnimalStore>): Promise<Target> {
  return startFaulty((config, store, log) => {
    const animals = { ...store.animals, ...change(store.animals) }
    return startService(config, { ...store, animals }, log)
  })
}
