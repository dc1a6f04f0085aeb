import { runUntil } from './cancellation.ts'

/**
 * Returns the parts of a body as they arrive. Rejects when the signal is aborted, or when no part arrives for
 * `idleTimeout` milliseconds while one is awaited. The connection is closed when it is left before its end.
 */
export async function* readParts(
  body: ReadableStream<Uint8Array>,
  signal: AbortSignal | undefined,
  idleTimeout: number,
): AsyncGenerator<Uint8Array, void, undefined> {
  const reader = body.getReader()
  try {
    for (;;) {
      const reading = () => reader.read()
      const { done, value } = await runUntil(signal, idleTimeout, reading, 'no data arrived')
      if (done) {
        return
      }
      yield value
    }
  } finally {
    reader.cancel().catch(() => undefined)
  }
}
