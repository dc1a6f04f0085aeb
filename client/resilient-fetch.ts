import { attempt } from './attempt.ts'
import type { Course } from './course.ts'
import { AnimalStoreError } from './error.ts'
import type { Outgoing } from './outgoing.ts'
import { left } from './retry.ts'
import { within } from './timeouts.ts'
import { wait } from './wait.ts'

/**
 * Sends a request until it succeeds or nothing more is to be hoped for. It stands beneath the
 * middleware of openapi-fetch, because a request that went through that cannot be sent twice.
 */
export async function sendOnCourse(course: Course, request: Request | Outgoing): Promise<Response> {
  const { line, signal } = course
  try {
    const once = (outer?: AbortSignal) => attempt(course, request, outer)
    for (;;) {
      // Without a pacer, the end of the attempt is the only one to watch.
      const outcome = await (line.pacer ? within(left(course), signal, once) : once(signal))
      if (typeof outcome !== 'number') return outcome
      await wait(outcome, signal)
    }
  } catch (cause) {
    throw toFailure(course, cause)
  }
}

function toFailure({ row: { operationId }, attempts, signal }: Course, cause: unknown): unknown {
  // Whoever called it off knows why, and gets that back. openapi-fetch takes null for no error.
  if (signal?.aborted) return signal.reason || new Error('aborted')
  const isLate = Object(cause).name === 'TimeoutError'
  const code = isLate ? 'timeout' : 'network_error'
  const message = `No answer to ${operationId} came${isLate ? ' in time' : ''} (attempts: ${attempts}).`
  return new AnimalStoreError(message, { operationId, code, attempts }, cause)
}
