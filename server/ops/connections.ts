import type { Server } from 'node:http'
import { networkOf } from '../auth/rate-limits.ts'

/** What a connection is refused by: as many are open, of all or of one address. */
export type ConnectionLimit = 'all' | 'address'

export interface ConnectionLimits {
  /** Open connections at most. */
  readonly most: number
  /** Those among them that come from one network; without it, all of them may. */
  readonly mostPerNetwork?: number
}

/** Bounds the connections of a server: one too many is closed at once, without an answer, and noted. */
export function boundConnections(
  server: Server,
  { most, mostPerNetwork = most }: ConnectionLimits,
  onRejected: (by: ConnectionLimit) => void,
): void {
  server.maxConnections = most
  server.on('drop', () => onRejected('all'))
  const open = new Map<string, number>()
  server.on('connection', (socket) => {
    const network = networkOf(socket.remoteAddress ?? '')
    const count = open.get(network) ?? 0
    if (count === mostPerNetwork) {
      socket.destroy()
      return onRejected('address')
    }
    open.set(network, count + 1)
    socket.once('close', () => {
      const left = (open.get(network) ?? 1) - 1
      if (left === 0) open.delete(network)
      else open.set(network, left)
    })
  })
}
