import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'

/** Milliseconds that a client has to read what was written, and to close the connection. */
const closingTimeout = 2_000

/** Bytes of content that are read and dropped after the response; if more follow, the connection is closed. */
const maxDropped = 65_536

/** Destroys a connection that its client does not close in time. */
export function destroyLater(socket: Duplex): void {
  setTimeout(() => socket.destroy(), closingTimeout).unref()
}

/**
 * Ends a connection so that the client can still read what was written. Bytes that it still sends are read and
 * dropped: a reset could overtake the response.
 */
export function endAndDrain(socket: Duplex): void {
  if (!socket.writable) {
    return void socket.destroy()
  }
  socket.resume().end()
  destroyLater(socket)
}

/** Ends a connection so that the client can still read the response, without reading what it still sends. */
function endUnreadNow(socket: Socket): void {
  if (!socket.writable) {
    return
  }
  stopReading(socket)
  socket.end()
  destroyLater(socket)
}

/**
 * Drops content that was not read when its response is sent. If there is more than a little of it, or the response is
 * the last one, the connection is closed, and the rest is not read.
 */
export function dropUnread(request: IncomingMessage, response: ServerResponse): void {
  // Before node:http decides about the rest of the content, at `finish`.
  response.once('prefinish', () => {
    if (!request.readableEnded) {
      dropRest(request, response)
    }
  })
}

function dropRest(request: IncomingMessage, response: ServerResponse): void {
  const { socket } = request
  // After a last response, node:http would destroy the connection: a reset could overtake the response.
  socket.destroySoon = () => endUnreadNow(socket)
  // An iterator that did not come to its end still waits for content.
  request.removeAllListeners('readable')

  const isLast = response.getHeader('Connection') === 'close'
  if (isLast || stopped.has(socket)) {
    stopReading(socket)
    response.once('finish', () => endUnreadNow(socket))
  } else {
    drop(request)
  }
}

/** Reads and drops content; ends the connection if there is more than a little of it. */
function drop(request: IncomingMessage): void {
  let size = 0
  request.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (size > maxDropped) {
      endUnreadNow(request.socket)
    }
  })
}

/** Connections from which nothing more is read. */
const stopped = new WeakSet<Socket>()

/** Reads no more from a connection, which is closed after the response. */
export function stopReading(socket: Socket): void {
  if (stopped.has(socket)) {
    return
  }
  stopped.add(socket)

  function pauseAgain(): void {
    socket.pause()
    // node:http stops reading at this event, which `pause` does not emit if the connection was paused again
    // before it was resumed.
    socket.emit('pause')
  }
  // The request resumes its connection whenever it could take more.
  socket.on('resume', pauseAgain)
  socket.pause()
}
