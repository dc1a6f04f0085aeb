import type { Course } from './course.ts'
import { AnimalStoreError } from './error.ts'
import type { Line } from './line.ts'
import { delayOf, isRepeatable, isTransient } from './retry.ts'
import { tell } from './tell.ts'
import { TimedOut, within } from './timeouts.ts'
import { wait } from './wait.ts'

/** A request that can be sent again: its body is kept beside it, because it can be read once. */
interface Repeatable {
  readonly request: Request
  readonly body: ArrayBuffer | null
  /** When the call has to be over, by `performance.now()`. */
  readonly end: number
}

/**
 * Sends a request until it succeeds or nothing more is to be hoped for. It stands beneath the
 * middleware of openapi-fetch, because a request that went through that cannot be sent twice.
 */
export async function sendOnCourse(
  line: Line,
  course: Course,
  request: Request,
): Promise<Response> {
  const { total = line.pacer ? Number.POSITIVE_INFINITY : 120_000 } = course.timeout
  const end = performance.now() + total
  course.url = request.url
  const body = ['GET', 'HEAD'].includes(request.method) ? null : await request.arrayBuffer()
  try {
    return await within(total, course.signal, async (signal) => {
      for (;;) {
        const outcome = await attempt(line, course, { request, body, end }, signal)
        if (typeof outcome !== 'number') return outcome
        await wait(outcome, signal)
      }
    })
  } catch (cause) {
    throw toFailure(course, cause)
  }
}

/** Gives the answer, or milliseconds until the next attempt; throws when there is to be none. */
async function attempt(
  line: Line,
  course: Course,
  { request, body, end }: Repeatable,
  outer: AbortSignal,
): Promise<Response | number> {
  const { attempt: longest = 30_000 } = course.timeout
  let response: Response | undefined
  const release = await line.pacer?.turn(outer)
  course.attempts++
  try {
    return await within(longest, outer, async (signal) => {
      response = await line.send(request, { body, signal })
      // Whoever ignores signals may answer when all is over: nobody is told of that.
      signal.throwIfAborted()
      line.onResponse(response, course.row)
      const delay = isTransient(response) ? next(line, course, request, end, response) : undefined
      // Until its last byte is here an answer may still break off, and another attempt is due.
      if (delay === undefined) return course.receive(response)
      response.body?.cancel().catch(() => undefined)
      return delay
    })
  } catch (thrown) {
    // Whoever called it off, or ran out of time for the whole call, wants no other attempt.
    outer.throwIfAborted()
    const cause = line.clean(thrown)
    const delay = next(line, course, request, end, undefined, cause)
    if (delay === undefined) throw cause
    return delay
  } finally {
    release?.(response)
  }
}

// A paced call waits for as long as the limit asks, unless it is told otherwise.
const endless = {
  attempts: Number.POSITIVE_INFINITY,
  longestRetryAfter: Number.POSITIVE_INFINITY,
}

function next(
  { onRetry, pacer }: Line,
  { operationId, retry, attempts }: Course,
  request: Request,
  end: number,
  response: Response | undefined,
  cause?: unknown,
): number | undefined {
  if (retry === false || !isRepeatable(request)) return undefined
  const isHeldBack = pacer !== undefined && response?.status === 429
  const delay = delayOf(response, attempts, { ...(isHeldBack ? endless : undefined), ...retry })
  // What would come too late is not waited for.
  if (delay === undefined || performance.now() + delay >= end) return undefined
  tell(onRetry, { operationId, attempt: attempts, delay, status: response?.status, cause })
  return delay
}

function toFailure({ operationId, attempts, signal }: Course, cause: unknown): unknown {
  // Whoever called it off knows why, and gets that back.
  if (signal?.aborted) return signal.reason
  const [code, when] = cause instanceof TimedOut ? ['timeout', ' in time'] : ['network_error', '']
  const message = `No answer to ${operationId} came${when} (attempts: ${attempts}).`
  return new AnimalStoreError(message, { operationId, code, attempts }, cause)
}
