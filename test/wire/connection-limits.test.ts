import { connect, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { answersIn } from '../support/answers.ts'
import { exchangeBytes } from '../support/raw.ts'
import { startTestService } from '../support/service.ts'
import { createRequests } from './support/requests.ts'

/** Opens a connection from an address of this machine, and says whether it is let in. */
async function isLetIn(origin: string, localAddress = '127.0.0.1'): Promise<boolean> {
  const socket = open(origin, localAddress)
  const { promise, resolve } = Promise.withResolvers<boolean>()
  socket.once('data', () => resolve(true)).once('close', () => resolve(false))
  socket.write('GET /livez HTTP/1.1\r\nHost: a\r\n\r\n')
  return promise
}

function open(origin: string, localAddress?: string): Socket {
  const { hostname, port } = new URL(origin)
  const place = { host: hostname, port: Number(port) }
  const socket = connect(localAddress === undefined ? place : { ...place, localAddress })
  onTestFinished(() => void socket.destroy())
  return socket.on('error', () => undefined)
}

test('an address has its number of connections, and others have theirs', async () => {
  const { origin } = await startTestService({ MAX_CONNECTIONS_PER_ADDRESS: '3' })
  const first = open(origin)
  const verdicts = [await isLetIn(origin), await isLetIn(origin), await isLetIn(origin)]
  expect(verdicts).toEqual([true, true, false])
  expect(await isLetIn(origin, '127.0.0.2')).toBe(true)
  first.destroy()
  await expect.poll(() => isLetIn(origin)).toBe(true)
  expect(await isLetIn(origin)).toBe(false)
})

test('behind a proxy all connections are from its address', async () => {
  const limits = { MAX_CONNECTIONS_PER_ADDRESS: '1', TRUST_PROXY: '1' }
  const { origin } = await startTestService(limits)
  expect([await isLetIn(origin), await isLetIn(origin)]).toEqual([true, true])
})

test('beyond the connections of the service one more is closed at once', async () => {
  const { origin } = await startTestService({ MAX_CONNECTIONS: '2' })
  expect(await isLetIn(origin, '127.0.0.2')).toBe(true)
  expect(await isLetIn(origin, '127.0.0.3')).toBe(true)
  expect(await isLetIn(origin, '127.0.0.4')).toBe(false)
})

test.for([
  ['of an address', 'MAX_CONNECTIONS_PER_ADDRESS'],
  ['of the service', 'MAX_CONNECTIONS'],
] as const)('the log says once that the connections %s are used up', async ([, variable]) => {
  const { origin, logged } = await startTestService({ [variable]: '1' })
  for (const isOne of [true, false, false, false]) expect(await isLetIn(origin)).toBe(isOne)
  expect(logged.filter(({ msg }) => /refused/.test(String(msg)))).toEqual([
    expect.objectContaining({ level: 'warn', msg: expect.stringContaining(`(${variable})`) }),
  ])
})

test('a hundred requests that are sent at once are answered in their order', async () => {
  const service = await startTestService()
  const { get, last } = createRequests(service)
  const asked = Array.from({ length: 99 }, (_, at) => get(`/v1/pets?limit=${at + 1}`))
  const { text } = await exchangeBytes(service.origin, asked.join('') + last)
  const left = answersIn(text).map(({ headers }) => Number(headers['x-ratelimit-remaining']))
  expect(left.slice(0, 99)).toEqual(asked.map((_, at) => 999_999 - at))
  expect(left).toHaveLength(100)
})

test('a connection with more unanswered requests than that is closed, and does no more', async () => {
  const service = await startTestService()
  const { get } = createRequests(service)
  const socket = open(service.origin).resume()
  const closed = new Promise((resolve) => socket.once('close', resolve))
  socket.write(get('/v1/pets').repeat(2_000))
  await closed
  const next = await service.send('/v1/pets')
  expect(Number(next.headers.get('x-ratelimit-remaining'))).toBeGreaterThanOrEqual(1e6 - 101)
})

test('whoever takes no answer gets no other one made, and is ended in time', async () => {
  const limits = { EXCHANGE_SECONDS: '1', MAX_CONNECTIONS_PER_ADDRESS: '1' }
  const service = await startTestService(limits)
  const { get } = createRequests(service)
  const name = '\u0001'.repeat(1_000)
  const add = () => service.store.animals.add({ name, categoryId: 1 })
  await Promise.all(Array.from({ length: 100 }, add))
  const address = '127.0.0.2'
  // 60 MB of answers: more than the system takes for a connection.
  open(service.origin, address).pause().write(get('/v1/pets?limit=100').repeat(99))
  await expect.poll(() => isLetIn(service.origin, address)).toBe(false)
  await expect.poll(() => isLetIn(service.origin, address), { timeout: 10_000 }).toBe(true)
  const next = await service.send('/v1/pets')
  const answered = 1e6 - 1 - Number(next.headers.get('x-ratelimit-remaining'))
  expect(answered).toBeGreaterThan(0)
  expect(answered).toBeLessThan(50)
})
