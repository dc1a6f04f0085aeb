import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { exchangeBytes } from './raw.ts'
import { startTestService, type TestService } from './service.ts'

/** Milliseconds, more than any request may wait. */
const tooLong = 100

/** Milliseconds in which nobody is refused when an overload is over. */
const lull = 1_000

/** A service whose clock the test moves: it goes on by so much each time that it is read. */
export async function startOnClock(environment: Readonly<Record<string, string>> = {}) {
  const clock = { time: 0, step: 0 }
  const now = (): number => {
    clock.time += clock.step
    return clock.time
  }
  const service = await startTestService(environment, undefined, {}, now)
  return { service, clock }
}

/** Connections that are open and wait for something to send. */
export interface Crowd {
  /** Sends a request on each, all in one turn of the loop; gives the statuses of the answers. */
  readonly send: (animal?: object) => Promise<number[]>
}

/** Opens so many connections. */
export async function openCrowd({ origin, apiKey }: TestService, count: number): Promise<Crowd> {
  const { hostname, port } = new URL(origin)
  const sockets = Array.from({ length: count }, () => connect(Number(port), hostname))
  await Promise.all(sockets.map((socket) => once(socket, 'connect')))
  // The service takes them in the order in which they came, and this one last.
  await exchangeBytes(origin, 'GET /livez HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')
  return {
    async send(animal) {
      const body = animal === undefined ? '' : JSON.stringify(animal)
      const content = `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`
      const first = `${animal === undefined ? 'GET' : 'POST'} /v1/pets HTTP/1.1\r\nHost: a\r\n`
      const fields = `Authorization: Bearer ${apiKey}\r\nConnection: close\r\n`
      const bytes = `${first}${fields}${animal === undefined ? '' : content}\r\n${body}`
      for (const socket of sockets) socket.write(bytes)
      const answers = await Promise.all(sockets.map((socket) => text(socket)))
      return answers.map((answer) => Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1]))
    },
  }
}

/** Makes every request wait for seconds, and waits until the service knows. */
export async function overload(
  { service, clock }: Awaited<ReturnType<typeof startOnClock>>,
  size = 500,
) {
  await service.client.listPets()
  const { send } = await openCrowd(service, size)
  clock.step = tooLong
  const crowd = send()
  for (let turn = 0; turn < 5; turn++) await fetch(`${service.origin}/livez`)
  return {
    async end() {
      clock.step = 0
      const served = await crowd
      clock.time += lull
      return served
    },
  }
}
