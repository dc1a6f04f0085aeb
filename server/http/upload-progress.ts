import type { IncomingMessage } from 'node:http'

/** Bytes of an upload that have to arrive within the time that a request has otherwise for all of its content. */
const minUploaded = 65_536

/**
 * Checks again and again whether an upload makes progress; calls `reject` once it does not. An upload whose handler
 * does not read it may wait: its client cannot send more.
 */
export function watchUpload(request: IncomingMessage, seconds: number, reject: () => void): void {
  const { socket } = request
  let before = socket.bytesRead
  const timer = setInterval(() => {
    const uploaded = socket.bytesRead - before
    before = socket.bytesRead
    const isWaiting = request.readableLength > 0
    if (uploaded < minUploaded && !isWaiting) {
      clearInterval(timer)
      reject()
    }
  }, seconds * 1_000).unref()
  request.once('close', () => clearInterval(timer))
}
