import { basePath } from '../generated/operations.ts'
import { readConfig } from './config.ts'
import { firstSteps, makeFirstKey } from './first-key.ts'
import { createLogFor } from './ops/log.ts'
import { fitOpenFileLimit } from './ops/open-files.ts'
import { stopOnSignals } from './ops/signals.ts'
import { stopOnUnexpected } from './ops/unexpected.ts'
import { explain } from './plain-error.ts'
import { type Service, startService } from './service.ts'
import { openStore } from './store/open-store.ts'
import type { Store } from './store/store.ts'

/**
 * Milliseconds: longer than a busy balancer leaves an instance without a request, so that what it
 * sends before it has seen `/readyz` is served.
 */
const lull = 250

await main()

async function main(): Promise<void> {
  let store: Store | undefined
  let service: Service | undefined
  try {
    const given = readConfig(process.env)
    const log = await createLogFor(given.logLevel, process.stdout.isTTY)
    const config = fitOpenFileLimit(given, log)
    let stopping: Promise<void> | undefined
    const stopOnce = (): Promise<void> => {
      if (stopping === undefined) {
        log.info('shutdown: draining requests')
        stopping = stop(service, store)
      }
      return stopping
    }
    stopOnUnexpected(log, stopOnce, config.shutdownGraceSeconds)
    const warn = (notice: string): void => log.warn(notice)
    const poolSize = config.databasePoolSize
    const notices = { onRestricted: warn, onReadableFolder: warn }
    store = await openStore(config.databaseUrl, { poolSize, ...notices })
    service = await startService(config, store, log)
    const key = config.isProduction ? undefined : await makeFirstKey(store)
    stopOnSignals(stopOnce)
    console.log(welcome(service))
    if (key !== undefined) console.log(firstSteps(service.origin, key))
  } catch (error) {
    console.error(explain(error))
    process.exitCode = 1
    await stop(service, store)
  }
}

function welcome({ origin, metricsUrl }: Service): string {
  const lines = [
    `The animal store answers at ${origin}${basePath}`,
    `Its reference is at       ${origin}/docs`,
    `Its contract is at        ${origin}/openapi.json and ${origin}/openapi.yaml`,
    `Its state is at           ${origin}/livez and ${origin}/readyz`,
  ]
  if (metricsUrl !== undefined) lines.push(`Its metrics are at        ${metricsUrl}`)
  return lines.join('\n')
}

async function stop(service?: Service, store?: Store): Promise<void> {
  await service?.stop(lull)
  await store?.close()
}
