import { connect } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { statusesIn } from '../support/answers.ts'
import { startTestService } from '../support/service.ts'
import { createRequests } from './support/requests.ts'

const length = 'Content-Length: 9000\r\n'

/** Sends a beginning and then a byte again and again, until the other side closes. */
async function trickle(origin: string, beginning: string, drop: string): Promise<number[]> {
  const { hostname, port } = new URL(origin)
  const socket = connect(Number(port), hostname).setEncoding('latin1')
  onTestFinished(() => void socket.destroy())
  let text = ''
  const closed = new Promise((resolve) => socket.once('close', resolve))
  socket
    .on('error', () => undefined)
    .on('data', (chunk) => {
      text += chunk
    })
  socket.write(beginning)
  const timer = setInterval(() => socket.writable && socket.write(drop, 'latin1'), 100)
  await closed
  clearInterval(timer)
  return statusesIn(text)
}

type Row = readonly [
  what: string,
  statuses: readonly number[],
  beginning: (requests: ReturnType<typeof createRequests>) => string,
  drop: string,
]

const callers: readonly Row[] = [
  ['sends nothing', [408], () => '', ''],
  ['sends empty lines', [408], () => '', '\r\n'],
  ['sends a method', [408], () => 'GE', ''],
  ['trickles a target', [408], () => 'GET /', 'a'],
  ['trickles fields', [408], ({ get }) => get('/v1/pets').slice(0, -2), 'X: a\r\n'],
  ['trickles a second request', [200, 408], ({ get }) => `${get('/livez')}GET /`, 'a'],
  ['trickles a body', [408], ({ post }) => post(length, '{'), ' '],
  ['trickles chunks', [408], ({ chunked }) => chunked(''), '1\r\n \r\n'],
  ['trickles an extension', [408], ({ chunked }) => chunked('1;'), 'a'],
  ['trickles a trailer', [408], ({ chunked }) => chunked('0\r\n'), 'X: a\r\n'],
  ['sends no body', [100, 408], ({ post }) => post(`${length}Expect: 100-continue\r\n`, ''), ''],
  [
    'goes on with a refused body',
    [415],
    ({ post }) => post(`${length}Content-Encoding: zip\r\n`, '{'),
    ' ',
  ],
  ['is idle after an answer', [200], ({ get }) => get('/livez'), ''],
]

test('whoever is slower than the limits is told so, once, and the connection ends', async () => {
  const limits = { HEADERS_SECONDS: '2', REQUEST_SECONDS: '2', IDLE_SECONDS: '1' }
  const service = await startTestService(limits)
  // Whatever is made for the first request is there when the clocks begin to run.
  await service.send('/v1/pets', { method: 'POST' })
  const requests = createRequests(service)
  const got = await Promise.all(
    callers.map(async ([what, , beginning, drop]) => [
      what,
      await trickle(service.origin, beginning(requests), drop),
    ]),
  )
  expect(got).toEqual(callers.map(([what, statuses]) => [what, statuses]))
  expect(await service.client.listPets()).toEqual([])
  expect(service.logged).toEqual([])
})

test('empty lines keep no connection open', async () => {
  const service = await startTestService({ EXCHANGE_SECONDS: '1', IDLE_SECONDS: '1' })
  const { get } = createRequests(service)
  expect(await trickle(service.origin, get('/livez'), '\r\n')).toEqual([200])
})

test('a slow caller keeps no other one waiting', async () => {
  const service = await startTestService()
  const { post } = createRequests(service)
  const { hostname, port } = new URL(service.origin)
  for (let caller = 0; caller < 50; caller++) {
    const socket = connect(Number(port), hostname).on('error', () => undefined)
    onTestFinished(() => void socket.destroy())
    socket.write(post('Content-Length: 90000\r\n', '{'))
  }
  await wait(50)
  expect(await service.client.createPet({ name: 'a', categoryId: 1 })).toMatchObject({ id: 1 })
})
