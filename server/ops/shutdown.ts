import type { Server } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'

/** Counts the requests of a server that are not answered yet. */
export function countRequests(server: Server): () => number {
  let running = 0
  for (const event of ['request', 'checkContinue', 'checkExpectation'] as const) {
    server.on(event, (_request, response) => {
      running++
      response.once('close', () => running--)
    })
  }
  return () => running
}

/**
 * Lets a server finish. As long as requests are running it serves whoever comes; then, or after a
 * grace in seconds, it takes no new connections, closes the idle ones and ends the rest.
 */
export async function drain(
  server: Server,
  runningRequests: () => number,
  graceSeconds: number,
): Promise<void> {
  const deadline = performance.now() + graceSeconds * 1000
  while (runningRequests() > 0 && performance.now() < deadline) await wait(20)
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  server.closeIdleConnections()
  // What was answered a moment ago is still on its way out; what is running now is out of grace.
  if (runningRequests() === 0) await Promise.race([closed, wait(100)])
  server.closeAllConnections()
  await closed
}
