import { enableCompileCache } from 'node:module'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import packageJson from '../../package.json' with { type: 'json' }
import type { FromService, ToService } from './design-service.ts'

// `npm run dev` starts this process while it still lints. Packages are loaded at once, files of the
// project with the message to serve.
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
process.on('uncaughtExceptionMonitor', sendError)

enableCompileCache(fileURLToPath(new URL('../../node_modules/.cache/dev', import.meta.url)))
// Packages for operators are loaded on demand.
const forOperators = /^(@opentelemetry\/|prom-client$|pino-pretty$)/
const packages = Object.keys(packageJson.dependencies).filter((name) => !forOperators.test(name))
await Promise.allSettled(packages.map((name) => import(name)))
const { key } = await toServe.promise
try {
  const { startDesignService } = await import('./design-service.ts')
  stop = await startDesignService(key, send)
} catch (error) {
  // The code cannot be loaded.
  sendError(error)
}

/** Reports an error with the file of the project where it was thrown. */
function sendError(error: unknown): void {
  const { stack = '' } = Object(error)
  const [, location] = /file:\/\/(?!\S*node_modules)(\S+?:\d+)/.exec(stack) ?? []
  const where = location === undefined ? '' : ` at ${relative('', location)}`
  send({ kind: 'failed', message: `${error}${where}` })
}

function send(message: FromService): void {
  // The loop may be gone by now.
  if (process.connected) process.send?.(message, undefined, {}, () => undefined)
}

async function end(): Promise<never> {
  // An open connection or a query may delay the stop.
  setTimeout(() => process.exit(), 1_000).unref()
  await stop?.()
  process.exit()
}
