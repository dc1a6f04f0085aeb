/** Bytes that are reserved for content before it arrives. */
const firstCapacity = 16_384

/**
 * Collects content, in memory that grows with what has arrived. The chunks are copied: each is a part of what
 * was read from the connection, and would keep all of that.
 */
export class GrowingBuffer {
  size = 0
  readonly #maxSize: number
  #memory: Buffer

  constructor(maxSize: number) {
    this.#maxSize = maxSize
    this.#memory = Buffer.allocUnsafe(Math.min(firstCapacity, maxSize))
  }

  append(chunk: Uint8Array): void {
    const size = this.size + chunk.length
    if (size > this.#memory.length) {
      this.#grow(size)
    }
    this.#memory.set(chunk, this.size)
    this.size = size
  }

  /** Returns the content, not a copy. */
  read(): Buffer {
    return this.#memory.subarray(0, this.size)
  }

  #grow(size: number): void {
    // Doubled, so that many small chunks cost no more than few large ones.
    const capacity = Math.max(size, Math.min(2 * this.#memory.length, this.#maxSize))
    const memory = Buffer.allocUnsafe(capacity)
    memory.set(this.read())
    this.#memory = memory
  }
}
