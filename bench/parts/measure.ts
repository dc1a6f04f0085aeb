import type { LoadMaker, Order } from '../run/load.ts'
import type { Server } from '../run/server.ts'

/** What a request cost a server while it had nothing else to do than to answer many. */
export interface Measured {
  /** Microseconds of CPU for each request. */
  readonly cpu: number
  /** Requests a second. */
  readonly rate: number
  /** Milliseconds. */
  readonly median: number
  readonly high: number
}

/** Puts load on a server and says what that cost it. */
export async function measure(
  load: LoadMaker,
  server: Server,
  order: Omit<Order, 'port'>,
): Promise<Measured> {
  const before = await server.cpu()
  const { requests, seconds, median, high } = await load.run({ ...order, port: server.port })
  const cpu = ((await server.cpu()) - before) / requests
  return { cpu, rate: requests / seconds, median, high }
}
