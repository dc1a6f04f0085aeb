import type { Request, Response } from 'express'
import type { ContentKind } from '../../description/content-kind.ts'
import { ChunkMemory } from '../../process/chunk-memory.ts'
import { stopReading } from '../connection-end.ts'
import { type Coding, decodeContent, decodeStream } from './content-coding.ts'
import { GrowingBuffer } from './growing-buffer.ts'
import { tooLarge } from './size-limit.ts'

/** The content of a request, which is read once: all of it, or as it arrives, within a limit either way. */
export class RequestContent {
  /** In bytes; undefined for chunked content. */
  readonly #length: number | undefined
  /** Whether the client sends nothing before it gets 100 Continue. */
  readonly #isAwaited: boolean
  readonly #response: Response
  readonly #chunks: AsyncIterableIterator<Buffer>
  /** What was read of chunked content to see whether there is any. */
  #first: Buffer | undefined
  #size = 0

  constructor(request: Request, response: Response) {
    const { headers, httpVersion } = request
    const isChunked = headers['transfer-encoding'] !== undefined
    this.#length = isChunked ? undefined : Number(headers['content-length'] ?? 0)
    // In HTTP/1.0 there is no 100 Continue (RFC 9110, section 10.1.1).
    this.#isAwaited = headers.expect !== undefined && httpVersion === '1.1'
    this.#response = response
    // The connection is kept: http-server.ts decides about what is not read.
    this.#chunks = request.iterator({ destroyOnReturn: false })
  }

  /** Returns whether there is content. Only its first byte shows whether chunked content is empty. */
  async isPresent(): Promise<boolean> {
    if (this.#length !== undefined) {
      return this.#length > 0
    }
    if (this.#isAwaited) {
      return true
    }
    const { value } = await this.#chunks.next()
    this.#first = value
    return value !== undefined
  }

  /** Throws if the content has more bytes, by the header that says how many it has. */
  assertLength(maxBytes: number): void {
    if (this.#length !== undefined && this.#length > maxBytes) {
      throw this.#tooLarge(maxBytes)
    }
  }

  /** Returns all of the content, decoded. Rejects if it is too large, as sent or decoded. */
  async readAll(maxBytes: number, coding: Coding, kind: ContentKind): Promise<Buffer> {
    this.#askForContent()
    const content = new GrowingBuffer(this.#length ?? maxBytes)
    if (this.#first !== undefined) {
      content.append(this.#count(this.#first, maxBytes))
    }
    for await (const chunk of this.#chunks) {
      content.append(this.#count(chunk, maxBytes))
    }
    return decodeContent(content.read(), maxBytes, coding, kind)
  }

  /** Yields the content, decoded, as it arrives. Throws if it becomes too large, as sent or decoded. */
  async *stream(maxBytes: number, coding: Coding): AsyncGenerator<Buffer> {
    const streamSent = this.#streamSent(maxBytes)
    try {
      yield* coding === 'identity' ? streamSent : decodeStream(streamSent, maxBytes, coding)
    } catch (error) {
      // A handler may report another error because of this one.
      this.#response.locals.contentError = error
      throw error
    }
  }

  async *#streamSent(maxBytes: number): AsyncGenerator<Buffer> {
    this.#askForContent()
    if (this.#first !== undefined) {
      yield this.#count(this.#first, maxBytes)
    }
    const memory = new ChunkMemory()
    for await (const chunk of this.#chunks) {
      yield this.#count(chunk, maxBytes)
      memory.count(chunk.length)
    }
  }

  #count(chunk: Buffer, maxBytes: number): Buffer {
    this.#size += chunk.length
    if (this.#size > maxBytes) {
      throw this.#tooLarge(maxBytes)
    }
    return chunk
  }

  #tooLarge(maxBytes: number) {
    stopReading(this.#response.req.socket)
    if (!this.#response.headersSent) {
      this.#response.setHeader('Connection', 'close')
    }
    return tooLarge(maxBytes)
  }

  #askForContent(): void {
    if (this.#isAwaited) {
      this.#response.writeContinue()
    }
  }
}
