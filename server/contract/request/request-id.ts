import { randomUUID } from 'node:crypto'

const usual = /^[A-Za-z0-9-]{8,64}$/

/** Returns the ID of a request: the client's own if it has the form that is allowed, else a new one. */
export function toRequestId(
  sent: string | string[] | undefined,
  isAllowed: (id: string) => boolean = () => true,
): string {
  const isKept = typeof sent === 'string' && usual.test(sent) && isAllowed(sent)
  return isKept ? sent : randomUUID()
}
