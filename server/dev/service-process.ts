import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'
import packageJson from '../../package.json' with { type: 'json' }
import type { FromService, ToService } from '../../scripts/dev/service-messages.ts'

// `npm run dev` starts this process before it is needed. Packages are loaded at once, files of the project
// only with the message to serve, because they may be saved until then.
const toServe = Promise.withResolvers<Extract<ToService, { kind: 'serve' }>>()
let stop: (() => Promise<void>) | undefined

process.on('message', (message: ToService) => {
  if (message.kind === 'serve') toServe.resolve(message)
  if (message.kind === 'stop') void end()
})
// The loop has ended.
process.once('disconnect', () => void end())
// Ctrl-C reaches every process of a terminal; the loop decides what to do.
process.on('SIGINT', () => undefined)

enableCompileCache(fileURLToPath(new URL('../../node_modules/.cache/dev', import.meta.url)))
// Packages for operators are loaded on demand.
const forOperators = /^(@opentelemetry\/|prom-client$|pino-pretty$)/
const packages = Object.keys(packageJson.dependencies).filter((name) => !forOperators.test(name))
await Promise.allSettled(packages.map((name) => import(name)))
const next = nextOrigin()
const { origin, key } = await toServe.promise
try {
  const { startDesignService } = await import('./design-service.ts')
  stop = await startDesignService(send, async () => origin ?? (await next), key)
} catch (error) {
  send({ kind: 'failed', message: describe(error) })
}

function send(message: FromService): void {
  // The loop may be gone by now.
  if (process.connected) process.send?.(message, undefined, {}, () => undefined)
}

/** Returns the origin of the loop, once it listens. */
function nextOrigin(): Promise<string> {
  return new Promise((resolve) => {
    process.on('message', (message: ToService) => {
      if (message.kind === 'origin') resolve(message.origin)
    })
  })
}

// If the code cannot be loaded, the compiler explains better why.
function describe(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error)
}

async function end(): Promise<never> {
  // What is waited for may wait for this process.
  setTimeout(() => process.exit(), 1_000).unref()
  await stop?.()
  process.exit()
}
