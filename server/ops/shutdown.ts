import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import type { Pages } from '../contract/pages.ts'
import { splitTarget } from '../contract/request/target.ts'

/** The requests of a server, without those of probes. */
export interface Traffic {
  /** How many are not answered yet. */
  readonly running: () => number
  /** Milliseconds since the last one was answered; endless before the first. */
  readonly lull: () => number
}

/**
 * Watches the requests of a server. Probes go on asking for the pages of its health until it is
 * gone, whoever else has turned elsewhere: it does not stay for them.
 */
export function watchTraffic(server: Server, health: Pages): Traffic {
  let running = 0
  let lastAt = Number.NEGATIVE_INFINITY
  function watch({ url = '' }: IncomingMessage, response: ServerResponse): void {
    if (Object.hasOwn(health, splitTarget(url).path)) return
    running++
    response.once('close', () => {
      running--
      lastAt = performance.now()
    })
  }
  server.on('request', watch).on('checkContinue', watch).on('checkExpectation', watch)
  return { running: () => running, lull: () => performance.now() - lastAt }
}

/** How long a server may take to finish. */
export interface Patience {
  /** Seconds after which it ends, whatever is running. */
  readonly grace: number
  /** Milliseconds without a request that tell that whoever sends them has turned elsewhere. */
  readonly lull: number
}

/**
 * Lets a server finish. As long as requests are running, or follow each other, it serves whoever
 * comes; then, or after the grace, it takes no new connections, closes the idle ones and ends the
 * rest.
 */
export async function drain(
  server: Server,
  { running: runningRequests, lull }: Traffic,
  patience: Patience,
): Promise<void> {
  const deadline = performance.now() + patience.grace * 1000
  // A clock that was set back, as tests do, would make a lull of less than nothing.
  const isBusy = () => runningRequests() > 0 || Math.max(0, lull()) < patience.lull
  while (isBusy() && performance.now() < deadline) await wait(20)
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  server.closeIdleConnections()
  // What was answered a moment ago is still on its way out; what is running now is out of grace.
  if (runningRequests() === 0) await Promise.race([closed, wait(100)])
  server.closeAllConnections()
  await closed
}
