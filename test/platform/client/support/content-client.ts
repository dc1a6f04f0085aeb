import { createClient } from '../../../../client/client.ts'
import { ApiError } from '../../../../client/errors.ts'
import { createEventStream, eventRules } from '../../../../client/event-stream.ts'
import { type ItemStream, readBody, streamRules } from '../../../../client/item-stream.ts'
import type { ItemContent } from '../../../../client/response-content.ts'
import { createValueStream } from '../../../../client/value-stream.ts'
import { apiKey, baseUrl, type Respond } from './client.ts'

/** An API with a stream of each kind. */
interface Streams {
  readonly raw: unknown
  watch(options?: object): ItemStream<unknown>
  start(options?: object): ItemStream<unknown>
  watchData(options?: object): ItemStream<unknown>
  list(options?: object): ItemStream<unknown>
  listRecords(options?: object): ItemStream<unknown>
}

const type = 'text/event-stream'
const streamed = (path: string, items: ItemContent, method = 'get') => {
  const createResult = type === items.type ? createEventStream : createValueStream
  const rules = type === items.type ? eventRules : streamRules
  return { method, path, options: [rules], responses: { items, read: readBody, createResult } }
}

const operations = {
  watch: streamed('/events', { type, whole: true, json: true, text: true }),
  start: streamed('/events', { type, whole: true, json: true }, 'post'),
  watchData: streamed('/data', { type, json: true }),
  list: streamed('/lines', { type: 'application/jsonl' }),
  listRecords: streamed('/records', { type: 'application/json-seq', sequence: true }),
}

/** Creates a client of streams whose `fetch` is one function for each request, the last for all that follow. */
export function createStreams(script: readonly Respond[], more: object = {}) {
  const requests: Request[] = []
  const fetch = async (request: Request) => {
    const number = requests.push(request)
    const respond = script[Math.min(number, script.length) - 1]
    return respond?.(request, number) ?? Response.error()
  }
  const options = { baseUrl, apiKey, maxRetryDelay: 0, ...more, fetch }
  return { client: createClient<Streams>(options, operations, ApiError), requests }
}

/** Responds with parts of content; then the connection breaks, stays open, or the content ends. */
export function sendParts(
  parts: readonly (string | Uint8Array)[],
  end: 'end' | 'break' | 'stay' = 'end',
  mediaType = type,
  onCancel = (): void => undefined,
): Respond {
  return () => {
    const left = [...parts]
    const body = new ReadableStream<Uint8Array>({
      async pull(controller) {
        const part = left.shift()
        if (part !== undefined) {
          controller.enqueue(typeof part === 'string' ? new TextEncoder().encode(part) : part)
        } else if (end === 'break') {
          controller.error(new TypeError('terminated'))
        } else if (end === 'end') {
          controller.close()
        } else {
          await new Promise(() => undefined)
        }
      },
      cancel: onCancel,
    })
    return new Response(body, { headers: { 'Content-Type': mediaType } })
  }
}

/** Returns all items, and what ended the loop. */
export async function collect(items: AsyncIterable<unknown>) {
  const all: unknown[] = []
  try {
    for await (const item of items) {
      all.push(item)
    }
    return { items: all, error: undefined }
  } catch (error) {
    return { items: all, error }
  }
}
