import type { IncomingMessage } from 'node:http'
import { tooLarge } from './body-refusals.ts'
import { CallerGone } from './caller-gone.ts'

/** Whether a request has content: by its header section, or once a byte of it has come. */
export async function hasContent(request: IncomingMessage): Promise<boolean> {
  const { 'transfer-encoding': coding, 'content-length': length } = request.headers
  if (coding === undefined) return Number(length ?? 0) > 0
  // Whoever waits for 100 Continue has something to send, and sends nothing before it.
  if (awaitsContinue(request)) return true
  return new Promise((resolve, reject) => {
    rejectWhenGone(request, reject)
    request.once('readable', () => resolve(request.readableLength > 0))
    request.once('end', () => resolve(false))
  })
}

/** Whether to send 100 Continue; in HTTP/1.0 nobody expects it (RFC 9110, section 10.1.1). */
export function awaitsContinue({ headers, httpVersion }: IncomingMessage): boolean {
  return headers.expect !== undefined && httpVersion === '1.1'
}

/** Receives the content of a request; refuses to go on when it becomes too large. */
export function receive(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let content: Buffer = Buffer.alloc(0)
    let size = 0
    const onData = (chunk: Buffer): void => {
      if (size + chunk.length <= maxBytes) {
        content = withRoomFor(size + chunk.length, content, maxBytes)
        size += chunk.copy(content, size)
        return
      }
      // The rest is read and dropped by node:http once the answer is sent.
      request.off('data', onData)
      content = Buffer.alloc(0)
      reject(tooLarge(maxBytes))
    }
    rejectWhenGone(request, reject)
    request.on('data', onData).once('end', () => resolve(content.subarray(0, size)))
    // It stands still after somebody waited for the first byte.
    request.resume()
  })
}

// A list of what came would take hundreds of bytes for each chunk, and a chunk may have one.
function withRoomFor(size: number, content: Buffer, maxBytes: number): Buffer {
  if (size <= content.length) return content
  const larger = Buffer.allocUnsafe(Math.min(maxBytes, Math.max(size, 2 * content.length)))
  content.copy(larger)
  return larger
}

function rejectWhenGone(request: IncomingMessage, reject: (reason: CallerGone) => void): void {
  const gone = (cause?: Error) => reject(new CallerGone('The caller went away.', { cause }))
  if (request.destroyed) gone()
  else request.once('error', gone).once('aborted', gone)
}
