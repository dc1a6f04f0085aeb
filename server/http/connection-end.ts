import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'

/** Milliseconds that a client has to close the connection after a rejection. */
const closingTimeout = 2_000

/** Bytes of content that are read and dropped after the response; if more follow, the connection is closed. */
const maxDropped = 65_536

/** Closes a connection so that the client can still read what was written. */
export function endConnection(socket: Duplex): void {
  if (!socket.writable) {
    return void socket.destroy()
  }
  // Bytes that the client still sends are read and dropped: a reset could overtake the response.
  socket.resume().end()
  setTimeout(() => socket.destroy(), closingTimeout).unref()
}

/**
 * Drops content that was not read when its response is sent. If there is more than a little of it, or the response is
 * the last one, the connection is closed, and the rest is not read.
 */
export function dropUnread(request: IncomingMessage, response: ServerResponse): void {
  // Before node:http decides about the rest of the content, at `finish`.
  response.once('prefinish', () => {
    if (request.readableEnded) {
      return
    }
    const { socket } = request
    // After a last response, node:http would destroy the connection: a reset could overtake the response.
    socket.destroySoon = () => endUnread(socket)
    // An iterator that did not come to its end still waits for content.
    request.removeAllListeners('readable')
    if (stopped.has(socket) || response.getHeader('Connection') === 'close') {
      stopReading(socket)
      response.once('finish', () => endUnread(socket))
      return
    }
    let size = 0
    request.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size > maxDropped) {
        endUnread(socket)
      }
    })
  })
}

/** Closes a connection once the client has read the response, without reading what it still sends. */
function endUnread(socket: Socket): void {
  if (!socket.writable) {
    return
  }
  stopReading(socket)
  socket.end()
  setTimeout(() => socket.destroy(), closingTimeout).unref()
}

/** Connections from which nothing more is read. */
const stopped = new WeakSet<Socket>()

/** Reads no more from a connection, which is closed after the response. */
export function stopReading(socket: Socket): void {
  if (stopped.has(socket)) {
    return
  }
  stopped.add(socket)
  // The request resumes its connection whenever it could take more. node:http stops reading at the event, which
  // `pause` does not emit if the connection was paused again before it was resumed.
  socket.on('resume', () => {
    socket.pause()
    socket.emit('pause')
  })
  socket.pause()
}
