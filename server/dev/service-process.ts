import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'
import packageJson from '../../package.json' with { type: 'json' }
import type { FromService, ToService } from '../../scripts/dev/service-messages.ts'

// `npm run dev` starts this process before it is needed. Packages are loaded at once, files of the project
// only with the message to serve, because they may be saved until then.
const toServe = Promise.withResolvers<Extract<ToService, { kind: 'serve' }>>()
const origin = Promise.withResolvers<string>()
let stop: (() => Promise<void>) | undefined

process.on('message', (message: ToService) => {
  if (message.kind === 'serve') toServe.resolve(message)
  if (message.kind === 'stop') void end()
  else if (message.origin !== undefined) origin.resolve(message.origin)
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
const { key } = await toServe.promise
try {
  const { startDesignService } = await import('./design-service.ts')
  stop = await startDesignService(send, origin.promise, key)
} catch (error) {
  // If the code cannot be loaded, the compiler explains better why.
  send({ kind: 'failed', message: String(error) })
}

function send(message: FromService): void {
  // The loop may be gone by now.
  if (process.connected) process.send?.(message, undefined, {}, () => undefined)
}

async function end(): Promise<never> {
  // What is waited for may wait for this process.
  setTimeout(() => process.exit(), 1_000).unref()
  await stop?.()
  process.exit()
}
