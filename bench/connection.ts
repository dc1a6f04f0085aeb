import { once } from 'node:events'
import { connect } from 'node:net'

/** A connection that carries one request at a time and parses as little of a response as it can. */
export class Connection {
  readonly #socket: ReturnType<typeof connect>
  #received: Buffer = Buffer.alloc(0)
  #onResponse: ((status: number) => void) | undefined

  private constructor(port: number) {
    this.#socket = connect(port, '127.0.0.1').setNoDelay(true)
    this.#socket.on('data', (chunk: Buffer) => this.#read(chunk))
    this.#socket.on('error', () => undefined).on('close', () => this.#settle(0))
  }

  static async open(port: number): Promise<Connection> {
    const connection = new Connection(port)
    await once(connection.#socket, 'connect')
    return connection
  }

  /** Sends a request; the callback gets the status code, or 0 where the connection was lost. */
  send(request: Buffer, onResponse: (status: number) => void): void {
    this.#onResponse = onResponse
    this.#socket.write(request)
  }

  close(): void {
    this.#onResponse = undefined
    this.#socket.destroy()
  }

  #read(chunk: Buffer): void {
    this.#received = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk])
    const end = this.#received.indexOf('\r\n\r\n')
    if (end === -1) return
    const head = this.#received.toString('latin1', 0, end)
    const [, length = 0] = /\r\ncontent-length: (\d+)/i.exec(head) ?? []
    if (this.#received.length >= end + 4 + Number(length)) this.#settle(Number(head.slice(9, 12)))
  }

  #settle(status: number): void {
    const onResponse = this.#onResponse
    this.#onResponse = undefined
    this.#received = Buffer.alloc(0)
    onResponse?.(status)
  }
}
