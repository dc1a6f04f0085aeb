import { randomUUID } from 'node:crypto'

const acceptable = /^[A-Za-z0-9-]{8,64}$/

/** The name of a request in the log: the caller's own where it may be kept, else a new one. */
export function toRequestId(sent: string | string[] | undefined): string {
  return typeof sent === 'string' && acceptable.test(sent) ? sent : randomUUID()
}
