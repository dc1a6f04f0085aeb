import type { RequestHandler } from 'express'
import { Refusal } from '../contract/answer/refusal.ts'
import type { OutgoingHeaders } from '../contract/request-context.ts'

/** Seconds in `Retry-After`, one of them at random: clients that are rejected together should not return together. */
const retryAfter = [1, 2, 3, 4]

/** Returns the middleware that rejects a request that load shedding has selected: 503 with `Retry-After`. */
export function rejectShed(
  limitHeadersFor: (address: string) => OutgoingHeaders = () => ({}),
): RequestHandler {
  return function rejectOverload(request, { locals }, next) {
    if (!locals.isShed) return next()
    Object.assign(locals.headers, limitHeadersFor(request.ip ?? ''))
    const seconds = retryAfter[Math.floor(Math.random() * retryAfter.length)] ?? 1
    const unit = seconds === 1 ? 'second' : 'seconds'
    const message = `The service is overloaded. Retry in ${seconds} ${unit}.`
    const headers = { 'Retry-After': seconds }
    throw new Refusal({ status: 503, code: 'unavailable' }, message, { headers })
  }
}
