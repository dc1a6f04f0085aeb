import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'
import packageJson from '../../package.json' with { type: 'json' }
import type { FromService, ToService } from '../../scripts/dev/service-messages.ts'

// `npm run dev` starts this process ahead of its time. What never changes while it waits is loaded
// at once, everything of the project only when it is told to serve: that may have been saved since.
const told = Promise.withResolvers<Extract<ToService, { kind: 'serve' }>>()
let stop: (() => Promise<void>) | undefined

process.on('message', (message: ToService) => {
  if (message.kind === 'serve') told.resolve(message)
  if (message.kind === 'stop') void end()
})
// Nobody is left to serve.
process.once('disconnect', () => void end())
// Ctrl-C reaches every process of a terminal; the loop says what is to be done.
process.on('SIGINT', () => undefined)

// What was compiled once need not be again, unless it changed.
enableCompileCache(fileURLToPath(new URL('../../node_modules/.cache/dev', import.meta.url)))
// What is for operators is loaded where it is asked for.
const forOperators = /^(@opentelemetry\/|prom-client$|pino-pretty$)/
const packages = Object.keys(packageJson.dependencies).filter((name) => !forOperators.test(name))
await Promise.allSettled(packages.map((name) => import(name)))
const next = nextOrigin()
const { origin, key } = await told.promise
try {
  const { startDesignService } = await import('./design-service.ts')
  stop = await startDesignService(tell, async () => origin ?? (await next), key)
} catch (error) {
  tell({ kind: 'failed', message: describe(error) })
}

function tell(message: FromService): void {
  // The loop may be gone by now.
  if (process.connected) process.send?.(message, undefined, {}, () => undefined)
}

/** Waits until the loop has found a place to listen. */
function nextOrigin(): Promise<string> {
  return new Promise((resolve) => {
    process.on('message', (message: ToService) => {
      if (message.kind === 'origin') resolve(message.origin)
    })
  })
}

// Where the code cannot be loaded, the compiler says better what is wrong with it.
function describe(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error)
}

async function end(): Promise<never> {
  // Whoever is waited for may wait for us.
  setTimeout(() => process.exit(), 1_000).unref()
  await stop?.()
  process.exit()
}
