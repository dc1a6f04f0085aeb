import { createServer, type Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { UsageError } from '../pipeline/failure.ts'
import type { Forwarder } from './forward.ts'
import { type createStudio, isForStudio } from './studio.ts'

/** Where people reach the service and the designer's page, whichever service runs behind it. */
export interface Front {
  /** Listens; gives the origin, or rejects with a `UsageError` where it cannot. */
  readonly listen: (host: string, port: number) => Promise<string>
  readonly stop: () => Promise<void>
}

/** Makes the front of a service. */
export function createFront(
  { forward, forwardRaw }: Forwarder,
  studio: ReturnType<typeof createStudio>,
): Front {
  // Times and the rest of HTTP are for the service to refuse.
  const server = createServer({ requireHostHeader: false, headersTimeout: 0, requestTimeout: 0 })
  for (const event of ['request', 'checkContinue', 'checkExpectation'] as const) {
    server.on(event, (request, response) => {
      if (isForStudio(request)) void studio.answer(request, response)
      else void forward(request, response)
    })
  }
  server.on('clientError', (error: Error & { rawPacket?: Buffer }, socket) => {
    if (error.rawPacket === undefined) socket.destroy()
    // Node gives the socket as a stream, which it always is more than.
    else void forwardRaw(error.rawPacket, socket as Socket)
  })

  return {
    listen: (host, port) => listen(server, host, port),
    async stop() {
      studio.stop()
      if (!server.listening) return
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await closed
    },
  }
}

function listen(server: Server, host: string, port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => {
      const advice = 'Set HOST and PORT to where it can listen; PORT=0 is a free port.'
      reject(new UsageError(`Cannot listen: ${error.message}. ${advice}`))
    })
    server.listen(port, host, () => {
      server.removeAllListeners('error')
      resolve(toOrigin(server.address()))
    })
  })
}

function toOrigin(address: AddressInfo | string | null): string {
  if (address === null || typeof address === 'string') throw new Error('It is no TCP server.')
  const host = address.family === 'IPv6' ? `[${address.address}]` : address.address
  return `http://${host}:${address.port}`
}
