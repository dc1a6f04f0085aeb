import { copyError, networkError, responseError } from './errors.ts'
import { type CallOptions, duration, type Rules } from './options.ts'
import { toFields } from './parameters.ts'
import type { Call } from './request.ts'
import type { ContentCall, ReadContent } from './response-content.ts'
import type { DataWithResponse } from './types.ts'

/**
 * The items of a stream, which is requested when the loop over them begins; leaving the loop cancels it. It can be
 * iterated once: a second loop throws a `TypeError`. `Added` is what its response has beside that of every call.
 */
export interface ItemStream<Item, Added = unknown> extends AsyncIterable<Item> {
  next(): Promise<IteratorResult<Item, void>>
  /** Leaves the loop, as `break` does: cancels the stream, also while the next item is awaited. */
  return(): Promise<IteratorResult<Item, void>>
  [Symbol.asyncIterator](): ItemStream<Item>
  /** Requests the stream, and returns its items with the response as soon as that has begun. */
  withResponse(): Promise<DataWithResponse<ItemStream<Item>> & Added>
}

/** The items of a stream as `generated/openapi.d.ts` has it. */
export type ItemOf<Stream> = Stream extends AsyncIterable<infer Item> ? Item : never

/** The options of a call whose content arrives in parts. */
export interface StreamOptions {
  /**
   * The longest time in milliseconds without a part of the content. 60,000 by default, no limit for streams of JSON
   * values, which may be idle. `timeout` and `totalTimeout` end when the response begins.
   */
  readonly idleTimeout?: number | undefined
}

export const streamRules: Rules<StreamOptions> = { idleTimeout: duration }

/** The body of a response, with its call. */
export interface OpenedStream {
  /** Undefined if there is none, as for 204. */
  readonly body: ReadableStream<Uint8Array> | undefined
  readonly call: Call
  readonly response: Response
}

/** Reads the body of a response that is received in parts. */
export const readBody: ReadContent = (call, { data, error, response }) => {
  if (!response.ok) {
    throw responseError(call, response, error)
  }
  return data
}

/** Returns what a response that is received in parts has as its content. */
export function toBody(content: unknown): ReadableStream<Uint8Array> | undefined {
  // openapi-fetch returns the body of a success; the class may be that of another realm.
  return (content ?? undefined) as ReadableStream<Uint8Array> | undefined
}

/** Requests a stream; throws an error unless it has the media type of the contract. */
export function openStream(
  { query, send, operation }: ContentCall,
  options: CallOptions,
): Promise<DataWithResponse<OpenedStream>> {
  const expected = operation.responses?.items?.type ?? ''
  const headers = { Accept: expected, ...toFields(options.headers) }

  function open(content: unknown, call: Call, _query: unknown, response: Response): OpenedStream {
    const body = toBody(content)
    const type = response.headers.get('content-type') ?? ''
    if (body && type.split(';')[0]?.trim().toLowerCase() !== expected.toLowerCase()) {
      body.cancel().catch(() => undefined)
      throw responseError(call, response, undefined, `, not ${expected}`)
    }
    return { body, call, response }
  }
  return send(query, open, { ...options, headers }, { isWhole: false })
}

/** Returns the error of a stream that broke off. */
export function toStreamError(call: Call, thrown: unknown): Error {
  // The error of middleware, and that of an item, are of the call already.
  return thrown instanceof call.ErrorClass ? thrown : networkError(call, copyError(call, thrown))
}

/** Opens a stream. */
type Open = (signal: AbortSignal) => Promise<DataWithResponse<OpenedStream>>

/** Returns the items of a stream that is open; the signal is aborted when the loop is left. */
type ReadItems = (
  opened: OpenedStream,
  signal: AbortSignal,
) => AsyncGenerator<unknown, void, undefined>

/** Creates the items of a stream. */
export function createItemStream(
  outer: AbortSignal | undefined,
  open: Open,
  readItems: ReadItems,
): ItemStream<unknown> {
  const controller = new AbortController()
  const { signal } = controller
  const abort = () => controller.abort(outer?.reason)
  /** Whether the loop has ended, or was left. */
  let isOver = false
  let opening: ReturnType<Open> | undefined

  function start(): ReturnType<Open> {
    outer?.throwIfAborted()
    outer?.addEventListener('abort', abort)
    opening = open(signal)
    return opening
  }

  async function* iterate(): AsyncGenerator<unknown, void, undefined> {
    try {
      const { data } = await (opening ?? start())
      yield* readItems(data, signal)
    } catch (error) {
      if (!isOver) {
        throw error
      }
    } finally {
      isOver = true
      outer?.removeEventListener('abort', abort)
    }
  }

  const items = iterate()
  const stream: ItemStream<unknown> = {
    next: () => items.next(),
    return() {
      isOver = true
      controller.abort()
      return items.return()
    },
    [Symbol.asyncIterator]() {
      if (isOver) {
        throw new TypeError('A stream is iterated once: repeat the call.')
      }
      return stream
    },
    async withResponse() {
      const opened = await (opening ?? start())
      return { ...opened, data: stream }
    },
  }

  return stream
}
