import { runUntil, sleep, TimeoutError } from './cancellation.ts'
import { copyError, networkError } from './errors.ts'
import { notify, type RetryEvent, reportResponse } from './hooks.ts'
import type { Operation } from './operation.ts'
import type { CallOptions, Config, Credentials } from './options.ts'
import type { Upload } from './request-content.ts'
import type { Receiving } from './response-content.ts'
import { retryDelay } from './retry.ts'

/** What is called. */
interface Callee {
  readonly operationId: string
  /** The method and the path of the operation, for messages. */
  readonly label: string
  /** Undefined for a request of `raw`. */
  readonly operation?: Operation
  /** How the content is received, if it is not always read whole. */
  readonly receiving?: Receiving | undefined
  /** The body, if it is not JSON. */
  readonly upload?: Upload | undefined
}

/** A call of an operation: the options of its client and its own, and the state of its attempts. */
export interface Call extends Callee, Config {
  /** Cancels the call. */
  readonly signal?: AbortSignal | undefined
  /** When the call has to be done, by `performance.now()`. */
  readonly deadline: number
  /** How often the request was sent. */
  attempts: number
  /** The texts that no error may contain: the credentials of the last attempt. */
  secrets: readonly string[]
  /** The host of the request, with its port; middleware may have changed it. */
  host: string
}

/** Runs a call until it is done, cancelled or over its deadline. */
export function runCall<Result>(
  config: Config,
  options: CallOptions,
  callee: Callee,
  work: (call: Call, signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const callOptions = { ...config, ...options }
  const { signal, totalTimeout = config.pacer ? Infinity : 120_000 } = callOptions
  const deadline = performance.now() + totalTimeout
  const call: Call = { ...callOptions, ...callee, deadline, attempts: 0, secrets: [], host: '' }

  return runUntil(signal, totalTimeout, (callSignal) => work(call, callSignal)).catch(
    (error: unknown) => {
      throw error instanceof TimeoutError ? networkError(call, error) : error
    },
  )
}

/**
 * Sends a request, and again after failures, until there is a response to return. It runs beneath the
 * middleware of openapi-fetch, because a request that was sent cannot pass that again.
 */
export async function sendRequest(
  call: Call,
  request: Request,
  signal: AbortSignal,
): Promise<Response> {
  call.host = new URL(request.url).host
  for (;;) {
    const outcome = await attempt(call, request, signal)
    if (!('delay' in outcome)) {
      return outcome
    }
    const { operationId, attempts } = call
    notify(call.onRetry, { operationId, attempt: attempts, ...outcome })
    await sleep(outcome.delay, signal)
  }
}

/** Sends a request once; returns the response, or when and why to retry. */
async function attempt(
  call: Call,
  request: Request,
  signal: AbortSignal,
): Promise<Response | Pick<RetryEvent, 'delay' | 'status' | 'cause'>> {
  const { fetch = globalThis.fetch, pacer, timeout = 30_000 } = call
  const release = await pacer?.acquire(signal)
  let response: Response | undefined

  async function send(credentials: Credentials, attemptSignal: AbortSignal) {
    const { upload } = call
    // The body of a request can be read once. A copy of a large one would be kept in memory for the next attempt.
    const unread = upload ? request : request.clone()
    const copy = new Request(unread, { ...upload?.init, signal: attemptSignal })
    response = await fetch(await credentials.addTo(copy))
    attemptSignal.throwIfAborted()
    reportResponse(call, response)

    const delay = retryDelay(call, request, response)
    if (delay === undefined) {
      // The whole body is received here: a response that breaks off is retried.
      if (!response.ok || call.receiving?.isWhole !== false) {
        await response.clone().arrayBuffer()
      }
      return response
    }
    response.body?.cancel().catch(() => undefined)
    return { delay, status: response.status, cause: undefined }
  }

  try {
    // The credentials are read after the wait for a slot, during which the key may be rotated.
    const reading = () => call.readCredentials(call.operation, request)
    const credentials = await runUntil(signal, timeout, reading, 'no credentials')
    call.secrets = credentials.secrets
    call.attempts++
    const sending = runUntil(signal, timeout, (attemptSignal) => send(credentials, attemptSignal))
    return await sending.catch((thrown: unknown) => {
      signal.throwIfAborted()
      const cause = copyError(call, thrown)
      const rejected = response?.ok ? undefined : response
      const delay = retryDelay(call, request, rejected)
      if (delay === undefined) {
        throw networkError(call, cause, rejected?.status)
      }
      return { delay, status: rejected?.status, cause }
    })
  } finally {
    release?.(response)
  }
}
