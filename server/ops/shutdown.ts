import type { Server } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import type { Traffic } from './traffic.ts'

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
 * rest. Probes go on asking until the server is gone, whoever else has turned elsewhere: it does not
 * stay for them.
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
