import { runCommand } from './commands/command.ts'
import { createFirstKey, gettingStarted } from './commands/first-key.ts'
import { type Config, readConfig } from './config.ts'
import { pagePrefixOf } from './description/platform-paths.ts'
import type { Draining } from './http/http-server.ts'
import { createLogFor } from './ops/log.ts'
import { UsageError } from './process/options.ts'
import { stopOnSignals, stopOnUncaughtErrors } from './process/signals.ts'
import { type Api, readServedApi } from './served-api.ts'
import { type Service, startService } from './service.ts'
import { openStore } from './store/store.ts'

const drainingAlone: Draining = { quietPeriod: 250 }

/**
 * A balancer sends requests until `/readyz` was 503 twice, with a second between its checks (`deploy/haproxy.cfg`).
 * On a busy machine it may leave an instance without a request for a while before that.
 */
const drainingBehindProxy: Draining = { minimum: 3_000, quietPeriod: 1_000 }

const usage = `npm start

Starts the service: applies migrations and prints the addresses of the API, its reference and the
metrics. Variables such as PORT and DATABASE_URL configure it; docs/configuration.md lists them.`

await runCommand(usage, async (args) => {
  if (args.length > 0) {
    throw new UsageError('usage: npm start, without arguments; variables such as PORT configure it')
  }
  await start()
})

async function start(): Promise<void> {
  const config = readConfig(process.env)
  const log = await createLogFor(config.logLevel, process.stdout.isTTY)

  // The last one that was opened is closed first.
  const opened = new AsyncDisposableStack()
  let isListening = false
  let stopped: Promise<void> | undefined
  const stopOnce = (): Promise<void> => {
    stopped ??= opened.disposeAsync()
    return stopped
  }

  // A full disk or a reader that is gone must not end the service.
  process.stdout.on('error', () => undefined)
  stopOnUncaughtErrors(log, stopOnce, config.shutdownGraceSeconds)
  // Without a handler, the first process of a container gets no signal.
  stopOnSignals(async () => {
    if (isListening) {
      await stopOnce()
    }
    // A collector that does not respond would keep the process.
    process.exit()
  })

  try {
    const api = readServedApi()
    const store = await openStore(config.databaseUrl, api.schema, {
      poolSize: config.databasePoolSize,
    })
    opened.defer(() => store.close())

    const service = await startService(config, store, log, { api })
    opened.defer(() => {
      log.info('shutdown: draining requests')
      return service.stop(config.trustProxy > 0 ? drainingBehindProxy : drainingAlone)
    })
    isListening = true

    const key = config.isProduction ? undefined : await createFirstKey(store, api.plans)
    console.log(welcome(api, service, config))
    if (key !== undefined) {
      console.log(gettingStarted(service.origin, key))
    }
  } catch (error) {
    // What was opened would keep the process. The error is printed while it is closed.
    void stopOnce()
    throw error
  }
}

function welcome(
  { title, basePath, settings }: Api,
  { origin, metricsUrl }: Service,
  { mcp }: Config,
): string {
  const pages = origin + pagePrefixOf(settings)
  const lines = [
    `${title} listens at ${origin}${basePath}`,
    `Its reference is at       ${pages}/docs`,
    `Its contract is at        ${pages}/openapi.json and ${pages}/openapi.yaml`,
    ...(mcp ? [`Agents use its tools at   ${pages}/mcp`] : []),
    `Health checks:            ${pages}/livez and ${pages}/readyz`,
  ]
  if (metricsUrl !== undefined) {
    lines.push(`Its metrics are at        ${metricsUrl}`)
  }
  return lines.join('\n')
}
