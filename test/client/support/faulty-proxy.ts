import { connect, type Socket } from 'node:net'
import { serveSockets } from './socket-server.ts'

/**
 * What a proxy does with a connection: nothing to it, reset it before or after the service has
 * handled the request, cut the answer off in the middle, pass it on late or never.
 */
export type Fault = 'none' | 'refuse' | 'drop' | 'cut' | 'delay' | 'withhold'

/** Puts a proxy in front of a service, with a fault to choose for each connection. */
export async function startFaultyProxy(origin: string, choose: () => Fault) {
  const counts: Record<Fault, number> = {
    none: 0,
    refuse: 0,
    drop: 0,
    cut: 0,
    delay: 0,
    withhold: 0,
  }
  const baseUrl = await serveSockets((socket, keep) => {
    socket.once('data', (first) => {
      // Not before: a client may open connections that it then does not need.
      const fault = choose()
      counts[fault]++
      if (fault === 'refuse') {
        socket.resetAndDestroy()
        return
      }
      const upstream = connect(Number(new URL(origin).port), '127.0.0.1')
      keep(upstream)
      upstream.write(first)
      socket.pipe(upstream)
      socket.once('close', () => upstream.destroy())
      answerWith[fault](socket, upstream)
    })
  })
  return { baseUrl, counts }
}

const answerWith: Readonly<
  Record<Exclude<Fault, 'refuse'>, (socket: Socket, upstream: Socket) => void>
> = {
  none: (socket, upstream) => upstream.pipe(socket),
  drop: (socket, upstream) => upstream.once('data', () => socket.resetAndDestroy()),
  cut: (socket, upstream) => upstream.once('data', (answer) => socket.end(answer.slice(0, -3))),
  delay: (socket, upstream) => void setTimeout(() => upstream.pipe(socket), 50),
  withhold: (_, upstream) => upstream.resume(),
}
