import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Config } from '../config.ts'
import { PlainError } from '../plain-error.ts'

/** Listens; resolves with the origin, rejects with a `PlainError` that names the variables to change. */
export function listen(
  server: Server,
  { host, port }: Pick<Config, 'host' | 'port'>,
  names = { host: 'HOST', port: 'PORT' },
): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      const advice =
        cause.code === 'EADDRINUSE'
          ? `Set ${names.port} to another port, or to 0 for a free one.`
          : `Set ${names.host} and ${names.port} to where the service can listen.`
      reject(new PlainError(`Cannot listen: ${cause.message}. ${advice}`, { cause }))
    })
    server.listen(port, host, () => {
      server.removeAllListeners('error')
      resolve(toOrigin(server.address()))
    })
  })
}

function toOrigin(address: AddressInfo | string | null): string {
  if (address === null || typeof address === 'string') throw new Error('Not a TCP server.')
  const host = address.family === 'IPv6' ? `[${address.address}]` : address.address
  return `http://${host}:${address.port}`
}
