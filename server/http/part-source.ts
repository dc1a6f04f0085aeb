import { Readable } from 'node:stream'
import { ReadableStream } from 'node:stream/web'

/** What the parts of a response are read from, one after the other. */
export interface PartSource {
  /** Resolves with the next part. */
  next(): Promise<IteratorResult<unknown>>
  /** Ends the source, also while it waits for a part. */
  cancel(): void
}

/** Opens the source of the parts that a handler has returned. */
export function openParts(body: AsyncIterable<unknown>): PartSource {
  const readable = toReadable(body)
  return readable === undefined ? openIterable(body) : openReadable(readable)
}

function toReadable(body: unknown): Readable | undefined {
  if (body instanceof Readable) {
    return body
  }
  return body instanceof ReadableStream ? Readable.fromWeb(body, { objectMode: true }) : undefined
}

function openReadable(readable: Readable): PartSource {
  // The next part that is read rejects with the error; without a listener, the process would end.
  readable.on('error', () => undefined)
  const parts = readable.iterator()
  return {
    next: () => parts.next(),
    // The iterator would end the stream only after its next part.
    cancel: () => void readable.destroy(),
  }
}

function openIterable(body: AsyncIterable<unknown>): PartSource {
  const parts = body[Symbol.asyncIterator]()
  return {
    next: async () => parts.next(),
    cancel() {
      const ended = Promise.try(() => parts.return?.())
      ended.catch(() => undefined)
    },
  }
}
