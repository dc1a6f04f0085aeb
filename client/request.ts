import { runUntil, sleep, TimeoutError } from './cancellation.ts'
import { copyError, networkError } from './errors.ts'
import { notify, type RetryEvent, reportResponse } from './hooks.ts'
import type { Operation } from './operation.ts'
import {
  type CallOptions,
  type Config,
  type Credentials,
  mergeOptions,
  type RetryOptions,
} from './options.ts'
import { retryDelay } from './retry.ts'

/** What is called. */
interface Callee {
  readonly operationId: string
  /** The method and the path of the operation, for messages. */
  readonly label: string
  /** Undefined for a request of `raw`. */
  readonly operation?: Operation
}

/** A call of an operation, with the state of its attempts. */
export interface Call extends Callee {
  readonly config: Config
  readonly options: RetryOptions
  readonly signal: AbortSignal | undefined
  /** When the call has to be done, by `performance.now()`. */
  readonly deadline: number
  /** How often the request was sent. */
  attempts: number
  /** The credentials of the last attempt. */
  credentials: Credentials
  /** The host of the request, with its port; middleware may have changed it. */
  host: string
}

/** Creates the state of a call. */
export function createCall(
  config: Config,
  { signal, ...given }: CallOptions,
  callee: Callee,
): Call {
  const options = mergeOptions(config, given)
  const { totalTimeout = config.pacer ? Number.POSITIVE_INFINITY : 120_000 } = options
  return {
    ...callee,
    config,
    options,
    attempts: 0,
    credentials: { secrets: [], addTo: (request) => request },
    host: new URL(config.baseUrl).host,
    signal,
    deadline: performance.now() + totalTimeout,
  }
}

/** Runs a call until it is done, cancelled or over its deadline. */
export function runCall<Result>(
  call: Call,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  return runUntil(call.signal, call.deadline - performance.now(), work).catch((error: unknown) => {
    throw error instanceof TimeoutError ? networkError(call, error) : error
  })
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
    notify(call.config.onRetry, { operationId, attempt: attempts, ...outcome })
    await sleep(outcome.delay, signal)
  }
}

/** Sends a request once; returns the response, or when and why to retry. */
async function attempt(
  call: Call,
  request: Request,
  signal: AbortSignal,
): Promise<Response | Pick<RetryEvent, 'delay' | 'status' | 'cause'>> {
  const { fetch = globalThis.fetch, pacer } = call.config
  const { timeout = 30_000 } = call.options
  const release = await pacer?.acquire(signal)
  let response: Response | undefined
  async function send(own: AbortSignal) {
    // The body of a request can be read once.
    const copy = new Request(request.clone(), { signal: own })
    response = await fetch(await call.credentials.addTo(copy))
    own.throwIfAborted()
    reportResponse(call, response)
    const delay = retryDelay(call, request, response)
    if (delay === undefined) {
      // Until its last byte has arrived, a response may break off and need a retry.
      await response.clone().arrayBuffer()
      return response
    }
    response.body?.cancel().catch(() => undefined)
    return { delay, status: response.status, cause: undefined }
  }
  try {
    // Read after the wait for a slot, during which the key may be rotated.
    const reading = () => call.config.readCredentials(call.operation, request)
    call.credentials = await runUntil(signal, timeout, reading, 'no credentials were returned')
    call.attempts++
    return await runUntil(signal, timeout, send).catch((thrown: unknown) => {
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
