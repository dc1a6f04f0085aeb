// Makes load on a server; `load.ts` starts it and tells it what to ask. It does little by itself, so
// that a server is what is waited for.
import { type Connection, openConnection } from '../overload/connection.ts'
import { percentile } from '../statistics.ts'
import type { Delivered, Order } from './load.ts'
import { pageAt, type RequestKind, requestKinds } from './requests.ts'

process.on('message', async (order: Order) => {
  try {
    process.send?.(await deliver(order))
  } catch (error) {
    process.send?.({ fault: error instanceof Error ? error.message : String(error) })
  }
})
process.on('disconnect', () => process.exit())

async function deliver(order: Order): Promise<Delivered> {
  const kind = order.request.startsWith('/')
    ? pageAt(order.request, order.key)
    : requestKinds(order.key).get(order.request)
  if (kind === undefined) throw new Error(`There is no request ${order.request}.`)
  const opening = Array.from({ length: order.clients }, () => openConnection(order.port))
  const connections = await Promise.all(opening)
  try {
    return await ask(connections, kind, order)
  } finally {
    for (const { close } of connections) close()
  }
}

/** Has every client ask again and again; all that was asked is answered in the end. */
async function ask(
  connections: readonly Connection[],
  { bytes, statuses }: RequestKind,
  { seconds = Number.POSITIVE_INFINITY, count = Number.POSITIVE_INFINITY }: Order,
): Promise<Delivered> {
  const waits: number[] = []
  const from = performance.now()
  const until = from + seconds * 1000
  let sent = 0
  const { promise: faulty, reject } = Promise.withResolvers<never>()

  function keepAsking(connection: Connection, done: () => void): void {
    const asked = performance.now()
    if (asked >= until || sent >= count) {
      done()
      return
    }
    connection.send(bytes(sent++), (status) => {
      waits.push(performance.now() - asked)
      if (statuses.includes(status)) keepAsking(connection, done)
      else reject(new Error(status === 0 ? 'A connection was lost.' : `A status was ${status}.`))
    })
  }

  const asking = connections.map(
    (connection) => new Promise<void>((done) => keepAsking(connection, done)),
  )
  await Promise.race([Promise.all(asking), faulty])
  return {
    requests: waits.length,
    seconds: (performance.now() - from) / 1000,
    median: percentile(waits, 0.5),
    high: percentile(waits, 0.99),
  }
}
