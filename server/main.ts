import { basePath, operations } from '../generated/operations.ts'
import { issueKey } from './access/issue.ts'
import { plans } from './access/plans.ts'
import { readConfig } from './config.ts'
import { createLog } from './ops/log.ts'
import { stopOnSignals } from './ops/signals.ts'
import { explain } from './plain-error.ts'
import { type Service, startService } from './service.ts'
import { openStore } from './store/open-store.ts'
import type { Store } from './store/store.ts'

await main()

async function main(): Promise<void> {
  let store: Store | undefined
  let service: Service | undefined
  try {
    const config = readConfig(process.env)
    const log = createLog(config.logLevel)
    store = await openStore(config.databaseUrl)
    service = await startService(config, store, log)
    const key = config.isProduction ? undefined : await makeFirstKey(store)
    stopOnSignals(() => stop(service, store))
    console.log(welcome(service.origin))
    if (key !== undefined) console.log(firstSteps(service.origin, key))
  } catch (error) {
    console.error(explain(error))
    process.exitCode = 1
    await stop(service, store)
  }
}

function welcome(origin: string): string {
  return [
    `The animal store answers at ${origin}${basePath}`,
    `Its contract is at        ${origin}/openapi.json and ${origin}/openapi.yaml`,
    `Its state is at           ${origin}/livez and ${origin}/readyz`,
  ].join('\n')
}

/** Makes a key for the newcomer to begin with, as long as there is none. */
async function makeFirstKey({ keys }: Store): Promise<string | undefined> {
  if ((await keys.list()).length > 0) return undefined
  const terms = { name: 'development', plan: 'business', expiresAt: undefined } as const
  const { key, record } = issueKey({ ...terms, ...plans.business })
  await keys.add(record)
  return key
}

function firstSteps(origin: string, key: string): string {
  const { path } = operations.listPets
  return `
There was no API key yet. This one is for development; it is shown this once:

  ${key}

Try it:

  curl -H 'Authorization: Bearer ${key}' ${origin}${basePath}${path}
`
}

async function stop(service?: Service, store?: Store): Promise<void> {
  await service?.stop()
  await store?.close()
}
