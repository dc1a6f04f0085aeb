// Sends requests to a server from a process of its own: `startLoad` in `parts.ts` forks it.
import { Connection } from './connection.ts'
import { percentile } from './statistics.ts'

/** What is sent, by clients that each wait for the response before they send again. */
export interface Order {
  readonly port: number
  readonly key: string
  readonly request: 'list' | 'get' | 'create' | 'mix'
  readonly clients: number
  /** For how long, or how many requests. */
  readonly seconds?: number
  readonly count?: number
  /** Milliseconds after which a client gives up, closes its connection and asks on another one. */
  readonly patience?: number
}

/** What came of an order. */
export interface Delivered {
  /** Requests with the expected status. */
  readonly requests: number
  readonly rejected: number
  readonly abandoned: number
  readonly seconds: number
  /** Milliseconds. */
  readonly p50: number
  readonly p99: number
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
  const { port, clients, seconds = Infinity, count = Infinity, patience } = order
  const nextRequest = requestsOf(order)
  const waits: number[] = []
  let [sent, rejected, abandoned] = [0, 0, 0]
  const from = performance.now()
  const until = from + seconds * 1000

  async function runClient(): Promise<void> {
    let connection = await Connection.open(port)
    while (performance.now() < until && sent < count) {
      const at = performance.now()
      const status = await send(connection, nextRequest(sent++), patience)
      if (status === undefined || (status === 0 && patience !== undefined)) {
        abandoned++
        connection.close()
        connection = await Connection.open(port)
      } else if (status === 503 && patience !== undefined) rejected++
      else if (expected.has(status)) waits.push(performance.now() - at)
      else throw new Error(status === 0 ? 'A connection was lost.' : `A status was ${status}.`)
    }
    connection.close()
  }

  await Promise.all(Array.from({ length: clients }, runClient))
  return {
    ...{ requests: waits.length, rejected, abandoned },
    seconds: (performance.now() - from) / 1000,
    ...{ p50: percentile(waits, 0.5), p99: percentile(waits, 0.99) },
  }
}

/** What the requests of the mix are answered with. */
const expected: ReadonlySet<number> = new Set([200, 201, 400, 404])

function send(
  connection: Connection,
  request: Buffer,
  patience: number | undefined,
): Promise<number | undefined> {
  return new Promise((resolve) => {
    const timer = patience && setTimeout(() => resolve(undefined), patience)
    connection.send(request, (status) => {
      if (timer) clearTimeout(timer)
      resolve(status)
    })
  })
}

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
  const mixed = (number: number) =>
    number % 3 === 2 ? rare[Math.floor(number / 3) % rare.length]?.(number) : undefined
  switch (request) {
    case 'list':
      return () => list
    case 'get':
      return getOne
    case 'create':
      return () => create
    case 'mix':
      return (number) => mixed(number) ?? (number % 3 === 0 ? list : getOne(number))
  }
}
