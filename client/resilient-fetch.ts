import type { Pacer } from './pacing.ts'
import {
  delayOf,
  isRepeatable,
  isTransient,
  type Outcome,
  type Retry,
  type RetryOptions,
} from './retry.ts'
import { type TimeoutOptions, within } from './timeouts.ts'
import { wait } from './wait.ts'

/** Sends a request; the shape of `fetch` that openapi-fetch calls. */
export type Fetch = (request: Request) => Promise<Response>

/** How a call is to be made, and what is noted of it on the way. */
export interface Course {
  readonly operationId: string
  readonly retry: RetryOptions | false | undefined
  readonly timeout: TimeoutOptions | undefined
  readonly signal: AbortSignal | undefined
  readonly onRetry: ((retry: Retry) => void) | undefined
  readonly onResponse: (response: Response) => void
  /** How often the request was sent so far. */
  attempts: number
  /** Where the request went. */
  url: string
}

/**
 * Sends a request until it succeeds or nothing more is to be hoped for. It stands beneath the
 * middleware of openapi-fetch, because a request that went through that cannot be sent twice.
 */
export async function sendOnCourse(
  send: Fetch,
  pacer: Pacer | undefined,
  course: Course,
  request: Request,
): Promise<Response> {
  const { total = 120_000 } = course.timeout ?? {}
  course.url = request.url
  return within(total, `The call of ${course.operationId}`, course.signal, async (signal) => {
    for (;;) {
      const outcome = await pacedAttempt(send, pacer, course, request, signal)
      const delay = next(outcome, course, request, signal)
      if (delay === undefined) return settle(outcome)
      if ('response' in outcome) await outcome.response.body?.cancel()
      await wait(delay, signal)
    }
  })
}

async function pacedAttempt(
  send: Fetch,
  pacer: Pacer | undefined,
  course: Course,
  request: Request,
  signal: AbortSignal,
): Promise<Outcome> {
  await pacer?.turn(signal)
  let response: Response | undefined
  try {
    const outcome = await attempt(send, course, request, signal)
    response = 'response' in outcome ? outcome.response : undefined
    return outcome
  } finally {
    pacer?.note(response)
  }
}

async function attempt(
  send: Fetch,
  course: Course,
  request: Request,
  outer: AbortSignal,
): Promise<Outcome> {
  course.attempts++
  const { attempt: longest = 30_000 } = course.timeout ?? {}
  const what = `Attempt ${course.attempts} of ${course.operationId}`
  try {
    return await within(longest, what, outer, async (signal) => {
      // A request can be sent once: each attempt gets a copy, the original is kept.
      const response = await send(new Request(request.clone(), { signal }))
      course.onResponse(response)
      return { response: isTransient({ response }) ? response : await receive(response) }
    })
  } catch (cause) {
    // Whoever called it off, or ran out of time for the whole call, wants no other attempt.
    if (outer.aborted) throw outer.reason
    return { cause }
  }
}

// Until its last byte is here an answer may still break off, and then another attempt is due.
async function receive(response: Response): Promise<Response> {
  if (response.body === null) return response
  const { status, statusText, headers } = response
  return new Response(await response.arrayBuffer(), { status, statusText, headers })
}

function next(outcome: Outcome, course: Course, request: Request, signal: AbortSignal) {
  if (signal.aborted || course.retry === false) return undefined
  if (!isTransient(outcome) || !isRepeatable(request)) return undefined
  const delay = delayOf(outcome, course.attempts, course.retry)
  if (delay === undefined) return undefined
  course.onRetry?.({
    operationId: course.operationId,
    attempt: course.attempts,
    delay,
    status: 'response' in outcome ? outcome.response.status : undefined,
    cause: 'cause' in outcome ? outcome.cause : undefined,
  })
  return delay
}

function settle(outcome: Outcome): Response {
  if ('response' in outcome) return outcome.response
  throw outcome.cause
}
