import { expect, onTestFinished, vi } from 'vitest'
import {
  createToolLibrary,
  type RetryEvent,
  ToolLibraryError,
  type ToolLibraryOptions,
} from '../../../fixture-api/client.ts'

/** A key that is found wherever it is printed. */
export const apiKey = 'lib_Secret0123456789"abc\\d.*'

export const baseUrl = 'https://tools.example/v2'

export const saw = { kind: 'saw', name: 'Ryoba' } as const

/** Returns the response to a request; the first request has number 1. */
export type Respond = (request: Request, number: number) => Response | Promise<Response>

/**
 * Creates a client whose `fetch` is a function, or one function for each request, of which the last
 * handles all that follow. Records its requests and retries; retries only if its options say so, and
 * at once.
 */
export function recordClient(
  respond: Respond | readonly Respond[],
  options: Partial<ToolLibraryOptions> = {},
  defaults: Partial<ToolLibraryOptions> = { maxRetries: 0, maxRetryDelay: 0 },
) {
  const requests: Request[] = []
  const retries: RetryEvent[] = []
  const script = [respond].flat()
  const client = createToolLibrary({
    baseUrl,
    apiKey,
    ...defaults,
    onDeprecation: () => undefined,
    onRetry: (retry) => retries.push(retry),
    ...options,
    fetch: async (request) => {
      const number = requests.push(request)
      return script[Math.min(number, script.length) - 1]?.(request, number) ?? Response.json([])
    },
  })
  return { client, requests, retries }
}

/** Responds with an Error object. */
export function fail(status: number, headers: Readonly<Record<string, string>> = {}): Respond {
  const body = { code: `code_${status}`, message: `Error ${status}.`, status }
  return () => Response.json(body, { status, headers })
}

/** Responds with an empty list. */
export const succeed: Respond = () => Response.json([])

/** Fails as a connection that is reset. */
export const lost: Respond = () => Promise.reject(new TypeError('fetch failed'))

/** Responds with a body that breaks off. */
export const breakOff: Respond = () => {
  const start = (body: ReadableStreamDefaultController) => body.error(new TypeError('terminated'))
  return new Response(new ReadableStream({ start }))
}

/** Responds with the first byte of a body; the rest never comes. */
export const stallInBody: Respond = ({ signal }) => {
  const start = (body: ReadableStreamDefaultController) => {
    body.enqueue(new TextEncoder().encode('['))
    signal.addEventListener('abort', () => body.error(signal.reason))
  }
  return new Response(new ReadableStream({ start }))
}

/** Never responds; rejects when the request is aborted. */
export const stall: Respond = ({ signal }) =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))

/** Fakes the clock until the test ends; the client must have no timer left then. */
export function stopTime(now = new Date()): void {
  vi.useFakeTimers({ toFake: ['Date', 'performance', 'setTimeout', 'clearTimeout'], now })
  onTestFinished(() => {
    const timers = vi.getTimerCount()
    vi.useRealTimers()
    // A timer would keep the process of an application alive.
    expect(timers, 'timers left').toBe(0)
  })
}

/** Fakes the clock until the test ends; time passes as fast as the client waits for it. */
export function passTimeAtOnce(now?: Date): void {
  stopTime(now)
  vi.setTimerTickMode('nextTimerAsync')
}

/** Returns what a call rejects with. */
export async function reasonOf(call: PromiseLike<unknown>): Promise<unknown> {
  const succeed = () => Promise.reject(new Error('The call succeeded.'))
  return call.then(succeed, (reason) => reason)
}

/** Returns the error that a call rejects with; throws any other reason. */
export async function failureOf(call: PromiseLike<unknown>): Promise<ToolLibraryError> {
  const reason = await reasonOf(call)
  if (reason instanceof ToolLibraryError) {
    return reason
  }
  throw reason
}
