import { issueKey } from './access/issue.ts'
import { plans } from './access/plans.ts'
import { readConfig } from './config.ts'
import { createLog } from './ops/log.ts'
import { explain } from './plain-error.ts'
import { type Service, startService } from './service.ts'
import { openStore } from './store/open-store.ts'
import type { Store } from './store/store.ts'

await main()

async function main(): Promise<void> {
  let store: Store | undefined
  try {
    const config = readConfig(process.env)
    const log = createLog(config.logLevel)
    store = await openStore(config.databaseUrl)
    const service = await startService(config, store, log)
    stopOnSignals(service, store)
    console.log(welcome(service.origin))
    if (!config.isProduction) await offerKey(service.origin, store)
  } catch (error) {
    console.error(explain(error))
    await store?.close()
    process.exitCode = 1
  }
}

function welcome(origin: string): string {
  return [
    `The animal store answers at ${origin}/v1`,
    `Its contract is at        ${origin}/openapi.json and ${origin}/openapi.yaml`,
    `Its state is at           ${origin}/livez and ${origin}/readyz`,
  ].join('\n')
}

/** Gives the newcomer a key to begin with, as long as there is none. */
async function offerKey(origin: string, store: Store): Promise<void> {
  if ((await store.keys.list()).length > 0) return
  const { business } = plans
  const terms = {
    name: 'development',
    plan: 'business',
    expiresAt: undefined,
    ...business,
  } as const
  const { key, record } = issueKey(terms)
  await store.keys.add(record)
  console.log(`
There was no API key yet. This one is for development; it is shown this once:

  ${key}

Try it:

  curl -H 'Authorization: Bearer ${key}' ${origin}/v1/pets
`)
}

function stopOnSignals(service: Service, store: Store): void {
  let isStopping = false
  const stop = async (): Promise<void> => {
    // Whoever asks twice does not want to wait.
    if (isStopping) process.exit(1)
    isStopping = true
    await service.stop()
    await store.close()
  }
  process.on('SIGTERM', stop).on('SIGINT', stop)
}
