import type { OutgoingStream } from './outgoing-stream.ts'

/** Sends something in a stream that is idle, so that no proxy closes its connection. */
export class KeepAlive {
  readonly #timer: NodeJS.Timeout

  constructor(stream: OutgoingStream, content: string, seconds: number) {
    const send = () => {
      // A client that does not read is not kept.
      if (!stream.response.writableNeedDrain) {
        stream.write(content)
      }
    }
    this.#timer = setInterval(send, seconds * 1_000)
    stream.response.once('close', () => clearInterval(this.#timer))
  }

  /** Begins the time of idleness anew. */
  refresh(): void {
    this.#timer.refresh()
  }
}
