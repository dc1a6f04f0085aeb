import { Agent, request as ask, type IncomingMessage, type ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'

/** Milliseconds that a request waits for a service that is being started. */
const patience = 15_000

// These belong to a connection, not to a message (RFC 9110, section 7.6.1).
const hopByHop = new Set(['connection', 'keep-alive'])

/** Hands requests on to a service on the loopback interface. */
export interface Forwarder {
  readonly forward: (request: IncomingMessage, response: ServerResponse) => Promise<void>
  /** Hands on bytes that cannot be read as HTTP, so that the service itself refuses them. */
  readonly forwardRaw: (bytes: Buffer, socket: Socket) => Promise<void>
}

/** Makes a forwarder to a port that may be waited for, and may be another one for each request. */
export function createForwarder(findPort: () => Promise<number>): Forwarder {
  return {
    async forward(request, response) {
      const headers = withForwardedFor(endToEnd(request.rawHeaders), request.socket.remoteAddress)
      for (;;) {
        const port = await within(patience, findPort())
        if (port === undefined) return refuse(response, 503, 'The service has not started yet.')
        // Between two services, one may have gone before it was reached; nothing is lost by then.
        if ((await handOn(port, headers, request, response)) !== 'ECONNREFUSED') return
      }
    },
    async forwardRaw(bytes, socket) {
      const port = await within(patience, findPort())
      if (port === undefined || socket.destroyed) return void socket.destroy()
      const onward = connect(port, '127.0.0.1', () => onward.write(bytes))
      onward.on('error', () => socket.destroy())
      onward.pipe(socket)
    },
  }
}

// Each request gets a connection: one that is kept might end with the service before.
const agent = new Agent({ keepAlive: false, maxSockets: Number.POSITIVE_INFINITY })

/** Hands one request on and its answer back; gives the code of what went wrong before a word of it was sent. */
function handOn(
  port: number,
  headers: readonly string[],
  request: IncomingMessage,
  response: ServerResponse,
): Promise<string | undefined> {
  const { method = 'GET', url = '/' } = request
  const to = { host: '127.0.0.1', port, method, path: url, headers, agent, setHost: false }
  return new Promise((resolve) => {
    const onward = ask(to, (answer) => {
      const { statusCode = 502, statusMessage = '' } = answer
      response.writeHead(statusCode, statusMessage, endToEnd(answer.rawHeaders))
      answer.pipe(response)
    })
    onward.once('socket', (socket) => {
      socket.once('connect', () => {
        resolve(undefined)
        request.pipe(onward)
      })
    })
    onward.on('continue', () => response.writeContinue())
    onward.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ECONNREFUSED') refuse(response, 502, 'The service ended meanwhile.')
      resolve(error.code)
    })
    response.once('close', () => onward.destroy())
  })
}

function endToEnd(rawHeaders: readonly string[]): string[] {
  const kept: string[] = []
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const [name = '', value = ''] = rawHeaders.slice(at, at + 2)
    if (!hopByHop.has(name.toLowerCase())) kept.push(name, value)
  }
  return kept
}

function withForwardedFor(headers: string[], address = ''): string[] {
  return address === '' ? headers : [...headers, 'X-Forwarded-For', address]
}

function refuse(response: ServerResponse, status: number, text: string): void {
  if (response.headersSent) {
    response.destroy()
    return
  }
  response.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8', 'Retry-After': 1 })
  response.end(`${text}\n`)
}

async function within<Value>(milliseconds: number, promise: Promise<Value>) {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), milliseconds)
  })
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}
