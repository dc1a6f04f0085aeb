import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import { exchangeBytes } from './raw.ts'
import { startTestService, type TestService } from './service.ts'

/** Milliseconds in which the service looks at who waits, and more. */
const lookInterval = 130

/** Milliseconds in which nobody waits when an overload is over. */
const lull = 1_000

/** A service whose clock the test moves: it goes on by so much each time that it is read. */
export async function startOnClock(environment: Readonly<Record<string, string>> = {}) {
  const clock = { time: 0, step: 0 }
  const now = (): number => {
    clock.time += clock.step
    return clock.time
  }
  const service = await startTestService(
    { REQUESTS_AT_ONCE: '1', ...environment },
    undefined,
    {},
    now,
  )
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

/**
 * Takes the only place there is for reads with one that does not end, and lets time go by until the
 * service knows of its overload. Time stands still then.
 */
export async function overload({ service, clock }: Awaited<ReturnType<typeof startOnClock>>) {
  const held = holdReads(service)
  const running = service.send('/v1/pets')
  await held.reached
  const first = service.send('/v1/pets')
  let second: Promise<Response> | undefined
  for (let step = 0; step < 12; step++) {
    // So that somebody waits still when the first one has waited for too long.
    if (step === 6) second = service.send('/v1/pets')
    clock.time += 100
    await wait(lookInterval)
  }
  return {
    /** Lets reads go on; gives the statuses of those that were there before, as they came. */
    async end() {
      held.release()
      const answers = await Promise.all([running, first, second])
      clock.time += lull
      return answers.map((answer) => answer?.status)
    },
  }
}

function holdReads({ store }: TestService) {
  const [reached, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const { page } = store.animals
  Object.assign(store.animals, {
    page: async (...query: Parameters<typeof page>) => {
      reached.resolve()
      await released.promise
      return page(...query)
    },
  })
  return { reached: reached.promise, release: released.resolve }
}
