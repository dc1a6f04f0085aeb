import type { ServerResponse } from 'node:http'
import { createLookout } from './overload/lookout.ts'

/** Bytes of answers that wait in memory until their readers take them, of all connections together. */
export const mostUnread = 64_000_000

/** Bytes of an answer that counts: of smaller ones the usual number of connections cannot hold too much. */
const least = 16_000

/** The large answers that are made, and not taken yet. */
export interface Unread {
  /** Notes an answer that is made, until it is taken or nobody takes it any more. */
  readonly add: (response: ServerResponse) => void
}

/**
 * Makes what bounds the memory that such answers take: where it is too much, connections are closed,
 * first that of the answer which has waited longest. An answer counts until all of it is taken; what
 * the system keeps for a connection does not.
 */
export function createUnread(now: () => number, most = mostUnread): Unread {
  const answers = new Set<ServerResponse>()

  function look(): boolean {
    let bytes = 0
    for (const { writableLength } of answers) bytes += writableLength
    for (const { writableLength, socket } of answers) {
      if (bytes <= most) break
      bytes -= writableLength
      socket?.destroy()
    }
    return answers.size > 0
  }

  const lookout = createLookout(look, now)
  return {
    add(response) {
      if (response.writableLength < least) return
      answers.add(response)
      response.once('close', () => answers.delete(response))
      lookout.begin()
    },
  }
}
