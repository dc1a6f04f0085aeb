import type { Server } from 'node:http'
import { basePath } from '../../generated/operations.ts'

/** Milliseconds that a connection may idle, as in the service. */
export const idle = 65_000

/** Listens on a free port and says where, as the service does. */
export function listen(server: Server): void {
  server.keepAliveTimeout = idle
  server.listen(0, '127.0.0.1', () => {
    const address = server.address()
    if (address === null || typeof address === 'string') throw new Error('Not a TCP server.')
    tell(`http://127.0.0.1:${address.port}`)
  })
}

/** Says where a peer answers. */
export function tell(origin: string): void {
  console.log(`answers at ${origin}${basePath}`)
}
