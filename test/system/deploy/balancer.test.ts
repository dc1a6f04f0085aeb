import { randomUUID } from 'node:crypto'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { findFreePort } from '../../helpers/free-port.ts'
import { type Ended, startCommand } from '../../helpers/program.ts'
import { type ServiceProcess, startServiceProcess } from '../../helpers/service-process.ts'
import { createTemporaryFolder } from '../../helpers/temporary-folder.ts'
import { type Balancer, balancerFile, needBalancer, startBalancer } from './balancer.ts'

beforeEach(needBalancer)

const behindOne = { TRUST_PROXY: '1' }

async function startTwo(environment: Readonly<Record<string, string>> = behindOne) {
  const file = join(createTemporaryFolder(), 'store.sqlite')
  // Each port is used again by the instance that replaces the first one on it.
  const start = async () =>
    startServiceProcess(file, { ...environment, PORT: `${await findFreePort()}` })
  const first = await start()
  const key = await first.firstKey()
  return { file, key, first, second: await start() }
}

/** Ends an instance as an operator does, and starts another one in its place. */
async function replace(
  instance: ServiceProcess,
  { file, says, name }: Pick<Balancer, 'says'> & { file: string; name: string },
): Promise<Ended> {
  const ended = await instance.program.kill('SIGTERM')
  await says(new RegExp(`Server ready/${name} is DOWN`))
  await startServiceProcess(file, { ...behindOne, PORT: new URL(instance.origin).port })
  await says(new RegExp(`Server ready/${name} is UP`))
  return ended
}

test('HAProxy finds no fault in its configuration', async () => {
  const { status, complaint } = await startCommand('haproxy', ['-c', '-f', balancerFile]).ended
  expect({ status, complaint }).toEqual({ status: 0, complaint: '' })
})

test('callers are told apart by the address that the balancer saw, not by one they claim', async () => {
  const { first, second } = await startTwo({ ...behindOne, ANONYMOUS_PER_MINUTE: '2' })
  const { origin } = await startBalancer([first.origin, second.origin])
  const statuses: number[] = []
  // Two on each instance, wherever they go, and as many again if a minute begins meanwhile.
  for (let claimed = 1; claimed <= 9; claimed++) {
    const headers = { 'X-Forwarded-For': `192.0.2.${claimed}` }
    statuses.push((await fetch(`${origin}/v1/pets`, { headers })).status)
  }
  expect(statuses).toContain(429)
})

test('instances are replaced one after the other, and no request fails', async () => {
  const { file, key, first, second } = await startTwo()
  const { origin, says } = await startBalancer([first.origin, second.origin])
  let isOver = false
  const statuses = new Map<number | string, number>()
  const load = async (): Promise<void> => {
    for (let number = 0; !isOver; number++) {
      const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
      const status = await fetch(`${origin}/v1/pets`, {
        headers: { ...headers, 'Idempotency-Key': randomUUID() },
        ...(number % 10 === 0 ? { method: 'POST', body: '{"name":"Rex","categoryId":7}' } : {}),
      }).then((response) => response.arrayBuffer().then(() => response.status), String)
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      await wait(40)
    }
  }
  const loads = Promise.all([load(), load(), load()])
  const ends = [
    await replace(first, { file, says, name: 'i0' }),
    await replace(second, { file, says, name: 'i1' }),
  ]
  isOver = true
  await loads
  expect(ends.map(({ status }) => status)).toEqual([0, 0])
  expect([...statuses.keys()].sort()).toEqual([200, 201])
}, 60_000)

test('with no instance ready, one that lives answers for itself', async () => {
  const { key, first, second } = await startTwo()
  const { origin, says } = await startBalancer([first.origin, second.origin])
  await second.program.kill('SIGTERM')
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
  // Its body never comes, so that the instance is ending as long as the test runs.
  const slow = new AbortController()
  onTestFinished(() => slow.abort())
  const body = new ReadableStream({ start: (to) => to.enqueue('{') })
  const options = { method: 'POST', headers, body, duplex: 'half', signal: slow.signal } as const
  void fetch(`${first.origin}/v1/pets`, options).catch(() => undefined)
  await fetch(`${first.origin}/livez`)
  void first.program.kill('SIGTERM')
  await says(/backend ready has no server available/)
  expect((await fetch(`${origin}/v1/pets`, { headers })).status).toBe(200)
  const notReady = await fetch(`${origin}/readyz`)
  expect(notReady.status).toBe(503)
  expect(await notReady.json()).toMatchObject({ code: 'unavailable' })
})

test('a request that an instance cut off is sent again if it reads or has a key to know it by, no other', async () => {
  const sent: string[] = []
  const server = createServer((socket) => {
    socket
      .on('error', () => undefined)
      .once('data', (data) => {
        const [, method = '', path = ''] = /^(\w+) (\S+)/.exec(String(data)) ?? []
        if (path.endsWith('z')) socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n')
        else socket.destroy()
        if (!path.endsWith('z')) sent.push(method)
      })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('Not a TCP server.')
  const { origin } = await startBalancer([`http://127.0.0.1:${address.port}`])
  // Its caller learns of it by a 502 or by the end of the connection.
  const send = (init: RequestInit) => fetch(`${origin}/v1/pets`, init).catch(() => undefined)
  await send({ method: 'POST', body: '{}' })
  expect(sent).toEqual(['POST'])
  await send({ method: 'POST', body: '{}', headers: { 'Idempotency-Key': 'once' } })
  expect(sent.splice(1).length).toBeGreaterThan(1)
  await send({})
  expect(sent.slice(1).length).toBeGreaterThan(1)
})
