// Sends requests to a server from a process of its own: `startLoad` in `set-up.ts` forks it.
import { connect, type Socket } from 'node:net'

/** Requests to send, by clients that each wait for a response before they send again. */
export interface Order {
  readonly port: number
  readonly key: string
  readonly request: 'list' | 'get' | 'create' | 'mix'
  readonly clients: number
  /** For how long, or how many requests. */
  readonly seconds?: number
  readonly count?: number
  /** Whether the server may reject requests, because there are more than it can serve. */
  readonly isOverload?: boolean
}

/** How many requests had an expected status, and in how many seconds. */
export interface Delivered {
  readonly requests: number
  readonly seconds: number
}

/** Pets that stores hold before they are measured. */
export const petCount = 1_000

process.on('message', (order: Order) => {
  deliver(order).then(
    (delivered) => process.send?.(delivered),
    (error: unknown) => process.send?.({ error: String(error) }),
  )
})
process.on('disconnect', () => process.exit())

async function deliver(order: Order): Promise<Delivered> {
  const { port, clients, seconds = Infinity, count = Infinity, isOverload } = order
  const nextRequest = requestsOf(order)
  let sent = 0
  let requests = 0
  const from = performance.now()
  const until = from + seconds * 1000

  async function runClient(): Promise<void> {
    const connection = new Connection(port)
    while (performance.now() < until && sent < count) {
      const status = await connection.send(nextRequest(sent++))
      if (expected.has(status)) {
        requests++
      } else if (status !== 503 || !isOverload) {
        throw new Error(`A status was ${status}.`)
      }
    }
    connection.close()
  }

  await Promise.all(Array.from({ length: clients }, runClient))
  return { requests, seconds: (performance.now() - from) / 1000 }
}

/** The status codes of the responses to the mix. */
const expected: ReadonlySet<number> = new Set([200, 201, 400, 404])

function requestsOf({ request, key }: Order): (number: number) => Buffer {
  const head = `Host: bench\r\nAuthorization: Bearer ${key}\r\n`
  const get = (target: string) => Buffer.from(`GET ${target} HTTP/1.1\r\n${head}\r\n`)
  const post = (body: unknown) => {
    const text = JSON.stringify(body)
    const content = `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(text)}`
    return Buffer.from(`POST /v1/pets HTTP/1.1\r\n${head}${content}\r\n\r\n${text}`)
  }
  const list = get('/v1/pets?limit=20')
  const create = post({ name: 'Rex', categoryId: 7, status: 'available' })
  const gets = Array.from({ length: petCount }, (_, index) => get(`/v1/pets/${index + 1}`))
  const getOne = (number: number) => gets[number % petCount] ?? list
  // Values differ each time, so that whatever is kept for each of them grows.
  const rare: readonly ((number: number) => Buffer)[] = [
    (number) => post({ name: `Rex ${number}`, categoryId: number }),
    (number) => post({ name: '', categoryId: `${number}` }),
    (number) => get(`/v1/pets?limit=${1_000 + number}`),
    (number) => get(`/v1/pets/${1e9 + number}`),
    (number) => get(`/v1/nothing/${number}`),
    (number) => get(`/v1/pets?status=sold&limit=${(number % 100) + 1}`),
  ]
  const usual = (number: number) => (number % 3 === 0 ? list : getOne(number))
  const mixed = (number: number) => rare[Math.floor(number / 3) % rare.length] ?? usual
  return {
    list: () => list,
    get: getOne,
    create: () => create,
    mix: (number: number) => (number % 3 === 2 ? mixed(number) : usual)(number),
  }[request]
}

/** A connection that carries one request at a time and parses as little of a response as it can. */
class Connection {
  readonly #socket: Socket
  #received: Buffer = Buffer.alloc(0)
  #settle: (status: number) => void = () => undefined

  constructor(port: number) {
    this.#socket = connect(port, '127.0.0.1').setNoDelay(true)
    this.#socket.on('data', (chunk: Buffer) => this.#read(chunk))
    this.#socket.on('error', () => undefined).on('close', () => this.#settle(0))
  }

  /** Sends a request; resolves with the status code, or 0 if the connection is closed. */
  send(request: Buffer): Promise<number> {
    if (this.#socket.destroyed) {
      return Promise.resolve(0)
    }
    this.#received = Buffer.alloc(0)
    this.#socket.write(request)
    return new Promise((resolve) => {
      this.#settle = resolve
    })
  }

  close(): void {
    this.#socket.destroy()
  }

  #read(chunk: Buffer): void {
    this.#received = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk])
    const end = this.#received.indexOf('\r\n\r\n')
    if (end === -1) {
      return
    }
    const head = this.#received.toString('latin1', 0, end)
    const [, length = 0] = /\r\ncontent-length: (\d+)/i.exec(head) ?? []
    if (this.#received.length >= end + 4 + Number(length)) {
      this.#settle(Number(head.slice(9, 12)))
    }
  }
}
