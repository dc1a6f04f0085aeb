// Puts load on a service; bench/overload.ts starts it.
import { readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { percentile } from '../statistics.ts'
import { type Connection, openConnection } from './connection.ts'
import { type Outcome, offer } from './load.ts'
import { startProbe } from './probe.ts'

const [operation = '', port = '', apiKey = '', processId = '', length = ''] = process.argv.slice(2)
const [seconds, clientCount, times] = [Number(length), 4_000, [0.5, 1, 2, 5, 10]]
const request = toRequest(operation)

function toRequest(operation: string): Buffer {
  const body = JSON.stringify({ name: 'Rex', categoryId: 7, status: 'available' })
  const head = `Host: bench\r\nAuthorization: Bearer ${apiKey}\r\n`
  const content = `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
  return Buffer.from(
    operation === 'list'
      ? `GET /v1/pets?limit=20 HTTP/1.1\r\n${head}\r\n`
      : `POST /v1/pets HTTP/1.1\r\n${head}${content}`,
  )
}

/** Seconds of CPU that the service has taken. */
function cpu(): number {
  const fields = readFileSync(`/proc/${processId}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')
  return (Number(fields[11]) + Number(fields[12])) / 100
}

async function openClients(count: number): Promise<Connection[]> {
  const clients: Connection[] = []
  while (clients.length < count) {
    const some = Array.from({ length: 100 }, () => openConnection(Number(port)))
    clients.push(...(await Promise.all(some)))
  }
  return clients
}

/** Requests a second that some hundred clients get answered that never pause. */
async function measureCapacity(clients: readonly Connection[]): Promise<number> {
  const { served } = await offer(clients, { request, rate: 1e6, seconds })
  return served / seconds
}

function show(factor: number, outcome: Outcome, probes: readonly number[], share: number): void {
  const perSecond = (count: number) => (count / seconds).toFixed(0).padStart(8)
  const time = (values: readonly number[], part: number) =>
    percentile(values, part).toFixed(0).padStart(6)
  const { due, served, refused, failed, unsent, waits } = outcome
  console.log(
    [
      `${factor}`.padStart(5),
      ...[due, served, refused, failed, unsent].map(perSecond),
      `${time(waits, 0.5)}${time(waits, 0.99)}`,
      `${time(probes, 0.5)}${time(probes, 1)}`,
      `${(share * 100).toFixed(0).padStart(4)} %`,
    ].join(' '),
  )
}

const some = await openClients(300)
// A page has to have its twenty animals, and code its first thousand runs.
await offer(some, { request: toRequest('create'), rate: 100, seconds: 1 })
await offer(some, { request, rate: 1_000, seconds: 1 })
const capacity = await measureCapacity(some)
const clients = [...some, ...(await openClients(clientCount - some.length))]
console.log(
  `\n${operation}: ${capacity.toFixed(0)} a second with ${some.length} clients that never pause`,
)
console.log(
  'times  offered   served  refused   failed   unsent   p50   p99  /readyz   max   CPU of the service',
)
let [peak, last] = [0, 0]
for (const factor of times) {
  const probe = startProbe(`http://127.0.0.1:${port}/readyz`)
  const [cpuBefore, from] = [cpu(), performance.now()]
  const outcome = await offer(clients, { request, rate: capacity * factor, seconds })
  const share = ((cpu() - cpuBefore) * 1000) / (performance.now() - from)
  show(factor, outcome, await probe.stop(), share)
  last = outcome.served / seconds
  peak = Math.max(peak, last)
  // Until everybody has an answer, and the service knows that the overload is over.
  await wait(3_000)
}
const shareOf = (whole: number) => `${((last / whole) * 100).toFixed(0)} %`
console.log(
  `at ten times: ${shareOf(Math.max(capacity, peak))} of the most that was ever served, ` +
    `${shareOf(peak)} of the most that as many clients were`,
)
process.exit()
