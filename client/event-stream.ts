import { readParts } from './body-parts.ts'
import { sleep } from './cancellation.ts'
import { copyError, networkError, responseError } from './errors.ts'
import { EventParser, type ParsedEvent } from './event-parser.ts'
import { notify } from './hooks.ts'
import {
  createItemStream,
  type OpenedStream,
  openStream,
  type StreamOptions,
  streamRules,
} from './item-stream.ts'
import type { CallOptions, Rules } from './options.ts'
import { toFields } from './parameters.ts'
import { isRecord } from './record.ts'
import type { Call } from './request.ts'
import type { ContentCall, CreateResult, ItemContent } from './response-content.ts'
import type { DataWithResponse } from './types.ts'

/** The options of a call whose result is a stream of events. */
export interface EventOptions extends StreamOptions {
  /** The `id` of the last event that was received before: the stream begins after it. */
  readonly lastEventId?: string | undefined
}

/** The rules of these options. */
export const eventRules: Rules<EventOptions> = {
  ...streamRules,
  lastEventId: ['a string', (value) => typeof value === 'string'],
}

const headerName = 'Last-Event-ID'
const isHeaderName = (name: string) => name.toLowerCase() === headerName.toLowerCase()

/** Milliseconds: the longest first backoff, which doubles while there is no event, and its most. */
const firstBackoff = 500
const maxBackoff = 8_000

/**
 * Creates the items of a stream of server-sent events. It is requested again after its connection has broken, with
 * the `id` of the last event: without one, or if the request is not safe to repeat, events could be lost or doubled.
 */
export const createEventStream: CreateResult = (call) => {
  const { options } = call
  const { headers, lastEventId = findHeader(headers) } = readEventOptions(options)
  const state: State = { lastEventId, failures: 0, retry: undefined, hasEvents: false }

  const open = (signal: AbortSignal) => requestEvents(call, headers, state, signal)
  return createItemStream(options.signal, open, async function* (opened, signal) {
    let current = opened
    for (;;) {
      try {
        yield* readEvents(call, current, state, signal)
        return
      } catch (thrown) {
        signal.throwIfAborted()
        await waitToReconnect(current.call, state, thrown, signal)
      }
      current = (await open(signal)).data
    }
  })
}

/** What a stream of events has received. */
interface State {
  lastEventId: string | undefined
  /** How often the connection has broken since the last event. */
  failures: number
  /** The milliseconds until a client reconnects, as the service wants them. */
  retry: number | undefined
  hasEvents: boolean
}

// The options are checked when the request is sent.
function readEventOptions(options: EventOptions & { readonly headers?: object | undefined }) {
  const { lastEventId, headers } = options
  return { lastEventId, headers: toFields(headers) }
}

function findHeader(headers: object): string | undefined {
  const [, value] = Object.entries(headers).find(([name]) => isHeaderName(name)) ?? []
  return value === undefined ? undefined : String(value)
}

function requestEvents(
  call: ContentCall,
  headers: object,
  { lastEventId }: State,
  signal: AbortSignal,
): Promise<DataWithResponse<OpenedStream>> {
  const otherHeaders = Object.entries(headers).filter(([name]) => !isHeaderName(name))
  const position = lastEventId ? { [headerName]: lastEventId } : {}
  const fields = { ...Object.fromEntries(otherHeaders), ...position }
  return openStream(call, { ...call.options, headers: fields, signal })
}

/** An item, or an error event, that ends a stream for good. */
class StreamEnd {
  readonly error: unknown

  constructor(error: unknown) {
    this.error = error
  }
}

/** Reads the items of a connection; throws a `StreamEnd`, or what has broken the connection. */
async function* readEvents(
  { operation, ...contentCall }: ContentCall,
  { body, call, response }: OpenedStream,
  state: State,
  signal: AbortSignal,
): AsyncGenerator<unknown, void, undefined> {
  if (body === undefined) {
    return
  }

  const options: EventOptions & CallOptions = contentCall.options
  const { idleTimeout = 60_000 } = options
  const parser = new EventParser()
  for await (const part of readParts(body, signal, idleTimeout)) {
    for (const event of parser.read(part)) {
      state.retry = event.retry ?? state.retry
      state.lastEventId = event.id ?? state.lastEventId
      if (event.data !== undefined) {
        state.failures = 0
        state.hasEvents = true
        yield readItem(call, response, operation.responses?.items, event)
      }
    }
  }
}

/** Waits until a stream is requested again; throws its error if it is not. */
async function waitToReconnect(
  call: Call,
  state: State,
  thrown: unknown,
  signal: AbortSignal,
): Promise<void> {
  if (thrown instanceof StreamEnd) {
    throw thrown.error
  }

  const cause = copyError(call, thrown)
  const { maxRetries = 3, maxRetryDelay = 60_000, operationId } = call
  state.failures++
  const isSafe =
    call.operation?.idempotent || !/^(?:post|patch)$/.test(call.operation?.method ?? '')
  // A stream cannot be resumed after an event whose id is empty.
  const isComplete = Boolean(state.lastEventId) || !state.hasEvents
  if (!isSafe || !isComplete || state.failures > maxRetries) {
    throw networkError(call, cause, 200)
  }

  const growth = 2 ** (state.failures - 1)
  const backoff = Math.min(firstBackoff * growth, maxBackoff)
  const pause = state.retry === undefined ? Math.random() * backoff : state.retry * growth
  const delay = Math.min(pause, maxRetryDelay)
  notify(call.onRetry, { operationId, attempt: state.failures, delay, status: undefined, cause })
  await sleep(delay, signal)
}

/** Returns the item that an event is; throws the error that an error event describes. */
function readItem(
  call: Call,
  response: Response,
  content: ItemContent | undefined,
  event: ParsedEvent,
): unknown {
  if (event.event === 'error') {
    throwError(call, response, event.data ?? '', content?.whole === true)
  }

  const data = content?.json ? readData(call, response, content, event.data ?? '') : event.data
  return content?.whole ? { ...event, data } : data
}

/** Throws the error of an event, with the body of an error response; an event of the API may have the same name. */
function throwError(call: Call, response: Response, data: string, mayBeItem: boolean): void {
  const body = parse(data)
  const headers = new Headers(response.headers)
  headers.set('content-type', body === undefined ? 'text/plain' : 'application/json')
  const stated = isRecord(body) ? body['status'] : undefined
  const status = typeof stated === 'number' && stated >= 400 && stated < 600 ? stated : 500
  const error = responseError(call, new Response(null, { status, headers }), body ?? data)
  if (!mayBeItem || error.code !== 'unexpected_response') {
    throw new StreamEnd(error)
  }
}

function readData(call: Call, response: Response, { text }: ItemContent, data: string): unknown {
  const value = parse(data)
  if (text && (value === undefined || typeof value === 'string')) {
    // A stream of JSON may have an event that is a text, such as [DONE].
    return data
  }
  if (value === undefined) {
    throw new StreamEnd(
      responseError(call, response, undefined, ', with an event that is not JSON'),
    )
  }
  return value
}

/** Returns the value of JSON; undefined if it is none. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
