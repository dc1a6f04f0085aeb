import { readParts } from './body-parts.ts'
import { hasNoContent } from './declared-responses.ts'
import { responseError } from './errors.ts'
import { type StreamOptions, toBody, toStreamError } from './item-stream.ts'
import type { CallOptions } from './options.ts'
import { withResponse } from './pagination.ts'
import type { Call } from './request.ts'
import type { CreateResult, ReadContent, Receiving } from './response-content.ts'
import { isJson } from './text-content.ts'
import type { CallResult } from './types.ts'

/** The methods that the promise of a download has, which resolves to a `Blob`. */
export interface DownloadResult extends CallResult {
  /**
   * Returns the bytes as a stream as soon as the response has begun. Call it at once, as in
   * `await client.getPhoto(1).stream()`: later, the bytes are read whole already.
   */
  stream(): Promise<ReadableStream<Uint8Array>> & CallResult
}

/** Reads the body of a download. */
export const readDownload: ReadContent = (call, { data, error, response }) => {
  if (hasNoContent(call, response)) {
    return undefined
  }
  if (!response.ok) {
    throw responseError(call, response, error)
  }
  return data ?? new Blob().stream()
}

/** Creates the result of a call whose content is bytes. */
export const createDownload: CreateResult = ({ query, options, send }) => {
  const { idleTimeout = 60_000 }: StreamOptions & CallOptions = options
  const receiving: Receiving = { isWhole: true }

  function readBytes(content: unknown, call: Call, _query: unknown, response: Response) {
    const body = toBody(content)
    return receiving.isWhole
      ? readWhole(body, call, response)
      : body && toStream(body, call, idleTimeout)
  }

  const received = send(query, readBytes, options, receiving)
  const wholeResult = withResponse(received)

  return Object.assign(wholeResult, {
    stream() {
      receiving.isWhole = false
      // Only the promise that this returns may count as unhandled.
      wholeResult.catch(() => undefined)
      return withResponse(
        received.then(({ data, ...context }) => {
          return { ...context, data: data instanceof Blob ? data.stream() : data }
        }),
      )
    },
  })
}

/** Reads bytes as a `Blob` of their media type; JSON where an operation has that as well. */
async function readWhole(
  body: ReadableStream<Uint8Array> | undefined,
  { operation }: Call,
  response: Response,
): Promise<unknown> {
  if (body === undefined) {
    return undefined
  }
  const { headers } = response
  const read = new Response(body, {
    headers: { 'Content-Type': headers.get('content-type') ?? '' },
  })
  const mayBeJson = operation?.responses?.json === true
  return mayBeJson && isJson(response) ? read.json() : read.blob()
}

/** Returns a body as a stream that ends with the error of its call if it breaks off. */
function toStream(
  body: ReadableStream<Uint8Array>,
  call: Call,
  idleTimeout: number,
): ReadableStream<Uint8Array> {
  const { signal } = call
  const parts = readParts(body, signal, idleTimeout)
  const source: UnderlyingDefaultSource<Uint8Array> = {
    async pull(controller) {
      try {
        const { done, value } = await parts.next()
        if (done) {
          controller.close()
        } else {
          controller.enqueue(value)
        }
      } catch (thrown) {
        controller.error(signal?.aborted ? signal.reason : toStreamError(call, thrown))
      }
    },
    async cancel() {
      await parts.return()
    },
  }
  // With this mark, nothing is read before the caller reads.
  return new ReadableStream(source, { highWaterMark: 0 })
}
