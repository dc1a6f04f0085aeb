import { getEventListeners } from 'node:events'
import { expect, test, vi } from 'vitest'
import type { ToolLibrary, ToolLibraryOptions } from '../../fixture-api/client.ts'
import {
  breakOff,
  fail,
  failureOf,
  lost,
  type Respond,
  reasonOf,
  recordClient,
  saw,
  stall,
  stallInBody,
  stopTime,
  succeed,
} from './support/client.ts'

type Call = (client: ToolLibrary, signal: AbortSignal) => PromiseLike<unknown>

const calls: readonly Call[] = [
  (client, signal) => client.createTool(saw, { signal }),
  (client, signal) => client.listTools({}, { signal }),
  (client, signal) => Array.fromAsync(client.listTools({}, { signal })),
  (client, signal) => client.raw.GET('/tools', { signal }),
]

test.each(calls)('a call with an aborted signal sends nothing (%s)', async (call) => {
  const reason = { why: 'not wanted' }
  const { client, requests } = recordClient(succeed)
  expect(await reasonOf(call(client, AbortSignal.abort(reason)))).toBe(reason)
  await client.listTools()
  expect(requests).toHaveLength(1)
})

const rejected = fail(503, { Deprecation: '@0' })
let abort = (): void => undefined

/** Responds, and aborts the call in the meantime. */
const during = (respond: Respond): Respond => {
  return (...sent) => {
    setImmediate(abort)
    return respond(...sent)
  }
}

/** As a `fetch` that ignores its signal: it is not awaited, and its late response is ignored. */
const respondLate: Respond = async (...sent) => {
  await new Promise(setImmediate)
  return rejected(...sent)
}

test.each<[string, Respond, Partial<ToolLibraryOptions>?]>([
  ['waits for the response', during(respondLate)],
  ['reads the body', during(stallInBody)],
  ['waits', rejected, { maxRetryDelay: 60_000, onRetry: () => void setImmediate(abort) }],
  ['is in a callback', rejected, { onRetry: () => abort() }],
])(
  'a call that is aborted while it %s ends at once with the reason',
  async (_, respond, options) => {
    stopTime()
    for (const call of calls) {
      const controller = new AbortController()
      const reason = new Error('Enough.')
      abort = () => controller.abort(reason)
      const onDeprecation = vi.fn()
      const all = { maxRetries: 3, onDeprecation, ...options }
      const { client, requests, retries } = recordClient(respond, all)
      expect(await reasonOf(call(client, controller.signal)), `${call}`).toBe(reason)
      if (respond !== rejected) {
        expect(requests[0]?.signal.aborted).toBe(true)
      }
      onDeprecation.mockClear()
      // A late response causes no retry, and calls no hook.
      for (let round = 0; round < 3; round++) {
        await new Promise(setImmediate)
      }
      expect([requests.length, retries.length], `${call}`).toEqual([1, 0])
      expect(onDeprecation).not.toHaveBeenCalled()
    }
  },
)

test('a long-lived signal keeps no listener of finished calls', async () => {
  const { signal } = new AbortController()
  const failures = [fail(503), lost, breakOff, fail(404)]
  const { client } = recordClient([...failures, succeed], { maxRetries: 3 })
  expect((await failureOf(client.listTools({}, { signal }))).status).toBe(404)
  const idle = recordClient(stall, { totalTimeout: 20 })
  expect((await failureOf(idle.client.listTools({}, { signal }))).code).toBe('timeout')
  await Promise.all([client.listTools({}, { signal }), client.getTool(1, { signal })])
  expect(getEventListeners(signal, 'abort')).toEqual([])
})

test('an endless response is cancelled before the next attempt', async () => {
  const cancel = vi.fn()
  const endless: Respond = () => {
    const pull = (body: ReadableStreamDefaultController) => body.enqueue(new Uint8Array(1_024))
    return new Response(new ReadableStream({ pull, cancel }), { status: 503 })
  }
  const { client } = recordClient([endless, succeed], { maxRetries: 1 })
  await client.listTools()
  expect(cancel).toHaveBeenCalledOnce()
})
