import { exchangeBytes } from './raw.ts'
import { startTestService, type TestService } from './service.ts'

/** Milliseconds, more than any request may wait. */
const tooLong = 1_000

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

/** So many requests at once, on one connection; gives the statuses of the answers. */
export async function sendAtOnce(
  { origin, apiKey }: TestService,
  count: number,
  animal?: object,
): Promise<number[]> {
  const body = animal === undefined ? '' : JSON.stringify(animal)
  const content = `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`
  const first = `${animal === undefined ? 'GET' : 'POST'} /v1/pets HTTP/1.1\r\nHost: a\r\n`
  const head = `${first}Authorization: Bearer ${apiKey}\r\n${animal === undefined ? '' : content}`
  const bytes = `${head}\r\n${body}`.repeat(count - 1)
  const { text } = await exchangeBytes(origin, `${bytes}${head}Connection: close\r\n\r\n${body}`)
  return [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status))
}

/** Makes every request wait for seconds, and waits until the service knows. */
export async function overload(
  { service, clock }: Awaited<ReturnType<typeof startOnClock>>,
  size = 500,
) {
  await service.client.listPets()
  clock.step = tooLong
  const crowd = sendAtOnce(service, size)
  for (let turn = 0; turn < 5; turn++) await fetch(`${service.origin}/livez`)
  return {
    async end() {
      clock.step = 0
      return crowd
    },
  }
}
