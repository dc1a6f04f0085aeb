import type { Server } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'

/**
 * Lets a server finish: it takes no new connections, closes idle ones, and ends the busy ones after
 * a grace in seconds.
 */
export async function drain(server: Server, graceSeconds: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  // A connection that was busy when the server closed is idle later: it is looked for again.
  const sweep = setInterval(() => server.closeIdleConnections(), 100)
  const grace = new AbortController()
  const late = wait(graceSeconds * 1000, undefined, { signal: grace.signal }).catch(() => undefined)
  await Promise.race([closed, late])
  grace.abort()
  server.closeAllConnections()
  await closed
  clearInterval(sweep)
}
