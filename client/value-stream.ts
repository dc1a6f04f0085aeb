import { readParts } from './body-parts.ts'
import { responseError } from './errors.ts'
import {
  createItemStream,
  type OpenedStream,
  openStream,
  type StreamOptions,
  toStreamError,
} from './item-stream.ts'
import type { CallOptions } from './options.ts'
import type { ContentCall, CreateResult } from './response-content.ts'

/** Creates the items of a stream of JSON values: lines, or a JSON text sequence (RFC 7464). */
export const createValueStream: CreateResult = (call) => {
  const { options } = call
  const open = (signal: AbortSignal) => openStream(call, { ...options, signal })
  return createItemStream(options.signal, open, (opened, signal) => {
    return readValues(call, opened, signal)
  })
}

async function* readValues(
  { operation, options }: ContentCall,
  { body, call, response }: OpenedStream,
  signal: AbortSignal,
): AsyncGenerator<unknown, void, undefined> {
  if (body === undefined) {
    return
  }

  const { idleTimeout = Infinity }: StreamOptions & CallOptions = options
  const parser = new ValueParser(operation.responses?.items?.sequence === true)
  const parts = readParts(body, signal, idleTimeout)
  try {
    for await (const part of parts) {
      yield* parser.read(part)
    }
    yield* parser.end()
  } catch (thrown) {
    signal.throwIfAborted()
    const isNoJson = thrown instanceof SyntaxError
    const reason = ', with a value that is not JSON'
    throw isNoJson ? responseError(call, response, undefined, reason) : toStreamError(call, thrown)
  }
}

/** Reads a stream of JSON values, in parts that may end anywhere; throws a `SyntaxError` for what is no JSON. */
export class ValueParser {
  readonly #decoder = new TextDecoder()
  readonly #isSequence: boolean
  /** What has arrived of the next value. */
  #text = ''

  constructor(isSequence: boolean) {
    this.#isSequence = isSequence
  }

  /** Returns the values that a part of the stream ends. */
  *read(part: Uint8Array): Generator<unknown, void, undefined> {
    const records = this.#decoder.decode(part, { stream: true }).split('\u001e')
    for (const [index, record] of records.entries()) {
      if (index > 0) {
        yield* this.#take(true)
      }
      const lines = record.split('\n')
      const unfinished = lines.pop()
      for (const line of lines) {
        this.#text += `${line}\n`
        yield* this.#take(!this.#isSequence)
      }
      this.#text += unfinished
    }
  }

  /** Returns the value that has no line break at its end. */
  *end(): Generator<unknown, void, undefined> {
    this.#text += this.#decoder.decode()
    yield* this.#take(true)
  }

  /** Takes the text as a value. One of a sequence may have line breaks in it: it is complete if it is JSON. */
  *#take(isComplete: boolean): Generator<unknown, void, undefined> {
    if (this.#text.trim() === '') {
      this.#text = ''
      return
    }

    let value: unknown
    try {
      value = JSON.parse(this.#text)
    } catch (error) {
      if (isComplete) {
        throw error
      }
      return
    }
    this.#text = ''
    yield value
  }
}
