import type { Row } from './call.ts'
import { createDeprecationWatch } from './deprecation.ts'
import type { AnimalStoreOptions } from './options.ts'
import type { Pacer } from './pacing.ts'
import { readRateLimit } from './rate-limit.ts'
import { redact } from './redaction.ts'
import type { Retry } from './retry.ts'
import { tell } from './tell.ts'

/** What the calls of a client have in common. */
export interface Line {
  readonly send: (request: Request, init: RequestInit) => Promise<Response>
  /** Absent when nothing is to be held back. */
  readonly pacer: Pacer | undefined
  readonly onRetry: ((retry: Retry) => void) | undefined
  readonly onResponse: (response: Response, row: Row | undefined) => void
  /** Takes what is secret out of what was thrown. */
  readonly clean: (cause: unknown) => unknown
}

/** Makes what the options of a client say of all its calls. */
export function createLine(options: AnimalStoreOptions): Line {
  const { apiKey, fetch, onRetry, onRateLimit } = options
  const watch = createDeprecationWatch(options.onDeprecation)
  return {
    // Nobody but `fetch` itself is sure to look at a second argument.
    send: (request, init) =>
      fetch === undefined ? globalThis.fetch(request, init) : fetch(new Request(request, init)),
    pacer: options.pacer,
    onRetry,
    onResponse(response, row) {
      const rateLimit = onRateLimit && readRateLimit(response.headers)
      if (rateLimit !== undefined) tell(onRateLimit, rateLimit)
      if (row !== undefined) watch(row, response)
    },
    clean: (cause) => redact(cause, apiKey),
  }
}
