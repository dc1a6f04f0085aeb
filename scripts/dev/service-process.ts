import { enableCompileCache } from 'node:module'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { MessageToLoop } from './design-service.ts'

let stop: (() => Promise<void>) | undefined

process.once('SIGTERM', end)
// The loop has ended.
process.once('disconnect', end)
// Ctrl-C reaches every process of a terminal; the loop decides what to do.
process.on('SIGINT', () => undefined)
process.on('uncaughtExceptionMonitor', sendError)

enableCompileCache(fileURLToPath(new URL('../../node_modules/.cache/dev', import.meta.url)))
// Code that cannot be loaded is an uncaught error.
const { startDesignService } = await import('./design-service.ts')
stop = await startDesignService(send)

/** Reports an error with the file of the project where it was thrown. */
function sendError(error: unknown): void {
  const stack = error instanceof Error ? String(error.stack) : ''
  const isOfProject = (word: string) => word.includes('file://') && !word.includes('node_modules')
  const url = stack.split(/\s/).find(isOfProject) ?? ''
  const [, location] = /file:\/\/([^:]+:\d+)/.exec(url) ?? []
  const where = location === undefined ? '' : ` at ${relative('', location)}`
  send({ kind: 'failed', message: `${error}${where}` })
}

function send(message: MessageToLoop): void {
  // The loop may be gone by now.
  if (process.connected) {
    process.send?.(message, undefined, {}, () => undefined)
  }
}

async function end(): Promise<never> {
  // An open connection or a query may delay the stop.
  setTimeout(() => process.exit(), 1_000).unref()
  await stop?.()
  process.exit()
}
