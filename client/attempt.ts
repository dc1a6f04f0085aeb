import type { Course } from './course.ts'
import { watchDeprecation } from './deprecation.ts'
import { Outgoing } from './outgoing.ts'
import { readRateLimit } from './rate-limit.ts'
import { receive } from './received.ts'
import { redact } from './redaction.ts'
import { left, retryIn } from './retry.ts'
import { tell } from './tell.ts'
import { within } from './timeouts.ts'

/** Sends a request once; gives the answer, or milliseconds until the next attempt. */
export async function attempt(
  course: Course,
  request: Request | Outgoing,
  outer: AbortSignal | undefined,
): Promise<Response | number> {
  const { line, signal } = course
  const { fetch, onRateLimit, pacer } = line
  const { attempt: longest = 30_000 } = course.timeout
  const release = await pacer?.turn(outer)
  course.attempts++
  let response: Response | undefined
  try {
    return await within(Math.min(longest, left(course)), outer, async (inner) => {
      // The body of a real request can be read once.
      const [input, init] = request instanceof Outgoing ? [request.url, request] : [request.clone()]
      const own = { ...init, signal: inner }
      // Nobody but `fetch` itself is sure to look at a second argument.
      response = await (fetch ? fetch(new Request(input, own)) : globalThis.fetch(input, own))
      // Whoever ignores signals may answer when all is over: nobody is told of that.
      inner.throwIfAborted()
      const rateLimit = onRateLimit && readRateLimit(response.headers)
      if (rateLimit) tell(onRateLimit, rateLimit)
      watchDeprecation(course, response)
      const delay = retryIn(course, request, response)
      // Until its last byte is here an answer may still break off, and another attempt is due.
      if (delay === undefined) return receive(request, response)
      response.body?.cancel().catch(() => undefined)
      return delay
    })
  } catch (thrown) {
    // Whoever called it off wants no other attempt.
    signal?.throwIfAborted()
    const cause = redact(thrown, line.apiKey)
    const delay = retryIn(course, request, response?.ok ? undefined : response, cause)
    if (delay === undefined) throw cause
    return delay
  } finally {
    release?.(response)
  }
}
