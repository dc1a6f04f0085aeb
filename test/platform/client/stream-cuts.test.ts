import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createClient } from '../../../client/client.ts'
import { ApiError } from '../../../client/errors.ts'
import type { ItemStream } from '../../../client/item-stream.ts'
import { respond } from '../../../server/contract/handler-response.ts'
import { readBundled } from '../../../server/description/description-reader.ts'
import { readClientOperations } from '../../helpers/client-operations.ts'
import { startStreams } from '../content/support/stream-service.ts'
import { createStreamApi, type StreamHandler } from '../content/support/streams.ts'

interface Prices {
  readonly raw: unknown
  operation0(options?: object): ItemStream<{ readonly data: { readonly cents: number } }>
}

const most = 2_000

/** Sends the events after the last one that the client has. */
const sendPrices: StreamHandler = (_input, { lastEventId = '0' }) => {
  async function* from(first: number) {
    for (let count = first; count <= most; count++) {
      if (count % 7 === 0) {
        await wait(1)
      }
      yield { id: `${count}`, retry: 1, data: { cents: count } }
    }
  }
  return respond(200, from(Number(lastEventId) + 1))
}

/** Sends the next event, and then none until the client or the service ends the stream. */
const sendIdle: StreamHandler = (_input, { lastEventId = '0', signal }) => {
  async function* next(count: number) {
    yield { id: `${count}`, retry: 1, data: { cents: count } }
    await wait(60_000, undefined, { signal })
  }
  return respond(200, next(Number(lastEventId) + 1))
}

/** Returns a response whose connection breaks after some bytes. */
function cutAfter(bytes: number, response: Response, onCut: () => void): Response {
  let left = bytes
  const cutting = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      if (chunk.length < left) {
        left -= chunk.length
        controller.enqueue(chunk)
        return
      }
      if (left === 0) {
        return
      }
      controller.enqueue(chunk.slice(0, left))
      left = 0
      onCut()
      // What was enqueued is read before the error.
      setTimeout(() => controller.error(new TypeError('terminated')), 1)
    },
  })
  return new Response(response.body?.pipeThrough(cutting) ?? null, response)
}

test('through 100 forced cuts, a loop over a stream gets each event once', async () => {
  const service = await startStreams([['events', sendPrices]])
  const operations = readClientOperations(
    readBundled(createStreamApi([['events', sendPrices]]).description),
  )
  let cuts = 0
  const client = createClient<Prices>(
    {
      baseUrl: `${service.origin}/v1`,
      apiKey: service.apiKey,
      async fetch(request) {
        const response = await fetch(request)
        const bytes = 150 + ((cuts * 37) % 600)
        return cuts < 100 ? cutAfter(bytes, response, () => cuts++) : response
      },
    },
    operations,
    ApiError,
  )

  const got: number[] = []
  for await (const { data } of client.operation0({ maxRetries: 10 })) {
    got.push(data.cents)
  }
  expect(cuts).toBe(100)
  expect(got).toEqual(Array.from({ length: most }, (_, index) => index + 1))
  expect(service.logged).toEqual([])
})

test('a loop over a stream goes over to another instance when the service stops', async () => {
  const first = await startStreams([['events', sendIdle]], { OPS_PORT: '0' })
  const second = await startStreams([['events', sendIdle]], { OPS_PORT: '0' })
  const apiKeys = new Map([first, second].map(({ origin, apiKey }) => [origin, apiKey]))
  let current = first
  const client = createClient<Prices>(
    {
      baseUrl: `${first.origin}/v1`,
      apiKey: first.apiKey,
      fetch(request) {
        const { origin } = current
        const url = request.url.replace(first.origin, origin)
        const headers = new Headers(request.headers)
        headers.set('Authorization', `Bearer ${apiKeys.get(origin)}`)
        return fetch(url, { headers, signal: request.signal })
      },
    },
    readClientOperations(readBundled(createStreamApi([['events', sendIdle]]).description)),
    ApiError,
  )

  const got: number[] = []
  for await (const { data } of client.operation0()) {
    got.push(data.cents)
    if (data.cents === 1) {
      current = second
      void first.stop()
    }
    if (data.cents === 2) {
      break
    }
  }
  expect(got).toEqual([1, 2])
})
