import { Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Response } from 'express'
import { destroyLater } from './connection-end.ts'
import type { PartSource } from './part-source.ts'

/** Milliseconds between probes of a connection that may be idle. */
const probeInterval = 60_000

/** The content of a response while it is sent in parts, at the speed of its client. */
export class OutgoingStream {
  /** Bytes of content that were sent. */
  bytes = 0
  readonly response: Response
  readonly #source: PartSource
  #isOver = false
  /** The timeout of the connection, if it applies only while the client does not read. */
  #timeout: number | undefined

  constructor(response: Response, source: PartSource) {
    this.response = response
    this.#source = source
    response.once('close', () => this.cancel())
  }

  /** Whether nothing more is sent: the content has ended or was cut off, or the client has left. */
  get isOver(): boolean {
    return this.#isOver
  }

  /** Resolves with the next part of the content. */
  next(): Promise<IteratorResult<unknown>> {
    return this.#source.next()
  }

  /** Writes content; returns a promise if the client must read before there is more. */
  write(content: string | Uint8Array): Promise<void> | undefined {
    if (this.#isOver || content.length === 0) {
      return undefined
    }

    this.bytes += Buffer.byteLength(content)
    this.response.locals.streamedBytes = this.bytes
    const isTaken = this.response.write(content)
    return isTaken ? undefined : this.#whenDrained()
  }

  /**
   * Lets the connection be idle while the source has no part, which may take hours. Probes of TCP find a client
   * that is gone without having closed the connection.
   */
  waitForParts(): void {
    const { socket } = this.response
    // A connection within the process has no timeout.
    if (socket instanceof Socket) {
      this.#timeout = socket.timeout ?? 0
      socket.setTimeout(0).setKeepAlive(true, probeInterval)
    }
  }

  /** Ends the content. */
  end(): void {
    if (!this.#isOver) {
      this.cancel()
      this.response.end()
    }
  }

  /** Closes the connection after what was written, so that the client sees that content is missing. */
  cutOff(): void {
    const { socket } = this.response
    if (this.#isOver || socket === null) {
      return
    }

    this.cancel()
    // In HTTP/1.0 the end of the connection is that of the content: only a reset says that some is missing.
    if (this.response.req.httpVersion === '1.0') {
      socket.resetAndDestroy()
      return
    }
    // node:http hands on what is written in one step at its end.
    process.nextTick(() => socket.end())
    destroyLater(socket)
  }

  /** Resolves when the client has read, or its connection is closed. */
  async #whenDrained(): Promise<void> {
    const { socket } = this.response
    if (this.#timeout !== undefined) {
      socket?.setTimeout(this.#timeout)
    }
    await whenDrained(this.response)
    // While the system takes what is written, nothing but this stream would be processed.
    await nextTurn()
    if (this.#timeout !== undefined) {
      socket?.setTimeout(0)
    }
  }

  /** Ends the source of the content. */
  cancel(): void {
    if (!this.#isOver) {
      this.#isOver = true
      this.#source.cancel()
    }
  }
}

/** Resolves when a response takes more content, or its connection is closed. */
function whenDrained(response: Response): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const go = () => {
    response.off('drain', go).off('close', go)
    resolve()
  }
  response.on('drain', go).on('close', go)
  return promise
}
