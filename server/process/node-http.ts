import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { OperatorError } from './operator-error.ts'

/**
 * The members of `node:http` that the service uses. An import would read everything that the module exports,
 * and for one of its exports Node.js loads all of `fetch`: a twentieth of the start.
 */
export const { createServer, request } = process.getBuiltinModule('node:http')

/**
 * Connections that wait until they are accepted. With the 511 of Node.js, the last of 4,000 clients that
 * connect at once try again for up to a minute. Linux has a limit of its own: net.core.somaxconn.
 */
const backlog = 4_096

/**
 * Listens; resolves with the origin, rejects with an `OperatorError` that names the variables to change,
 * which begin with `prefix`.
 */
export async function listen(
  server: Server,
  host: string,
  port: number,
  prefix = '',
): Promise<string> {
  server.listen({ host, port, backlog })
  await once(server, 'listening').catch((cause: NodeJS.ErrnoException) => {
    const advice =
      cause.code === 'EADDRINUSE'
        ? `Set ${prefix}PORT to another port, or to 0 for a free one.`
        : `Set ${prefix}HOST and ${prefix}PORT to where the service can listen.`
    throw new OperatorError(`Cannot listen: ${cause.message}. ${advice}`, { cause })
  })

  // A server that listens at a host and a port has such an address.
  const { address, family, port: boundPort } = server.address() as AddressInfo
  const hostInUrl = family === 'IPv6' ? `[${address}]` : address
  return `http://${hostInUrl}:${boundPort}`
}
