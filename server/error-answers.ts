import type { Logger } from 'pino'
import { internalError, toReply } from './contract/answer/error-reply.ts'
import { Refusal } from './contract/answer/refusal.ts'
import type { Writer } from './contract/answer/writer.ts'
import type { Response } from './contract/exchange.ts'
import { CallerGone } from './contract/request/caller-gone.ts'
import type { Outages } from './ops/outages.ts'
import { nameOf } from './reply-decision.ts'
import { StoreUnavailable } from './store/store-unavailable.ts'

export interface ErrorAnswerOptions {
  readonly send: Writer
  readonly log: Logger
  readonly outages: Outages
}

/** Makes what answers a request that was refused, or that something went wrong with, and logs the second. */
export function createErrorAnswers({ send, log, outages }: ErrorAnswerOptions) {
  return async function answer(error: unknown, response: Response) {
    if (error instanceof CallerGone) return
    const { requestId, path } = response.locals.exchange
    const refusal = toRefusal(error)
    if (error instanceof StoreUnavailable) outages.failed(nameOf(response), error)
    else if (isOurFault(refusal)) {
      log.error({ requestId, path, err: refusal.cause ?? error }, refusal.message)
    }
    await send(response, toReply(refusal))
  }
}

// Malformed HTTP is the client's error and is logged where it is rejected, whatever its status code.
// `unavailable` is expected: while the service drains, `/readyz` is 503.
function isOurFault({ status, code }: Refusal): boolean {
  return status >= 500 && code !== 'bad_request_framing' && code !== 'unavailable'
}

function toRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  if (!(error instanceof StoreUnavailable)) return internalError(error)
  const message = 'The service cannot answer now. Retry in 1 second.'
  const options = { headers: { 'Retry-After': 1 }, cause: error }
  return new Refusal({ status: 503, code: 'unavailable' }, message, options)
}
