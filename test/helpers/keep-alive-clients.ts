import { connect } from 'node:net'
import { onTestFinished } from 'vitest'
import { basePath } from '../../generated/operations.ts'

/** What a crowd of clients has seen until the last of their connections was closed. */
export interface Seen {
  /** Answers of which a part came, and then the end of the connection. */
  readonly cutOff: number
  /** Requests whose connection ended without a byte of an answer. */
  readonly unanswered: number
  /** Animals that the service has said it added. */
  readonly created: number
  /** Connections that ended after an answer with `Connection: close`. */
  readonly last: number
}

/** Creates one animal after the other on a connection that is kept, or only one. */
function startClient(origin: string, apiKey: string, isBusy: boolean) {
  const { hostname, port } = new URL(origin)
  const body = JSON.stringify({ name: 'Rex', categoryId: 7 })
  const fields = [
    'Host: a',
    `Authorization: Bearer ${apiKey}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
  ]
  const request = `POST ${basePath}/pets HTTP/1.1\r\n${fields.join('\r\n')}\r\n\r\n${body}`
  const answered = Promise.withResolvers<void>()
  const closed = Promise.withResolvers<Seen>()
  const seen = { cutOff: 0, unanswered: 0, created: 0, last: 0 }
  let [received, isWaiting, isLast] = ['', true, false]

  const socket = connect(Number(port), hostname, () => socket.write(request))
  socket.setEncoding('latin1').on('error', () => undefined)
  socket.on('data', (text) => {
    received += text
    const [, status, length, end] =
      /^HTTP\/1\.1 (\d+) .*?\r\ncontent-length: (\d+)\r\n.*?(\r\n\r\n)/is.exec(received) ?? []
    if (end === undefined) return
    const size = received.indexOf(end) + end.length + Number(length)
    if (received.length < size) return
    if (status === '201') seen.created++
    isLast = /\r\nconnection: close\r\n/i.test(received)
    received = ''
    isWaiting = isBusy && !isLast
    answered.resolve()
    if (isWaiting) socket.write(request)
  })
  socket.on('close', () => {
    if (received !== '') seen.cutOff++
    else if (isWaiting) seen.unanswered++
    if (isLast) seen.last++
    answered.resolve()
    closed.resolve(seen)
  })
  onTestFinished(() => void socket.destroy())
  return { answered: answered.promise, closed: closed.promise }
}

/** Starts clients that each keep a connection; the idle ones send one request and then nothing. */
export function startClients(
  origin: string,
  apiKey: string,
  { busy, idle }: { readonly busy: number; readonly idle: number },
) {
  const clients = Array.from({ length: busy + idle }, (_, number) =>
    startClient(origin, apiKey, number < busy),
  )
  return {
    everyoneAnswered: () => Promise.all(clients.map(({ answered }) => answered)),
    async closed(): Promise<Seen> {
      const all = await Promise.all(clients.map(({ closed }) => closed))
      const total = (name: keyof Seen) => all.reduce((sum, seen) => sum + seen[name], 0)
      return {
        cutOff: total('cutOff'),
        unanswered: total('unanswered'),
        created: total('created'),
        last: total('last'),
      }
    },
  }
}
