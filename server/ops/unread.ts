import type { ServerResponse } from 'node:http'

/** Bytes of responses that wait in memory until their clients read them, of all connections together. */
export const mostUnread = 64_000_000

/** Bytes of a response that counts: smaller ones cannot be too much on the usual number of connections. */
const least = 16_000

/** Milliseconds between two checks. */
const interval = 100

/** The large responses that are sent, and not read yet. */
export interface Unread {
  /** Counts a response until it is read, or its connection is closed. */
  readonly add: (response: ServerResponse) => void
}

/**
 * Bounds the memory that unread responses take: above the limit, connections are closed, first that of
 * the response which has waited longest.
 */
export function boundUnread(most = mostUnread): Unread {
  const responses = new Set<ServerResponse>()
  let timer: NodeJS.Timeout | undefined

  function check(): void {
    let bytes = 0
    for (const { writableLength } of responses) bytes += writableLength
    for (const { writableLength, socket } of responses) {
      if (bytes <= most) break
      bytes -= writableLength
      socket?.destroy()
    }
    if (responses.size > 0) return
    clearInterval(timer)
    timer = undefined
  }

  return {
    add(response) {
      if (response.writableLength < least) return
      responses.add(response)
      response.once('close', () => responses.delete(response))
      timer ??= setInterval(check, interval).unref()
    },
  }
}
