import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { exchangeBytes } from '../support/raw.ts'
import { startTestService } from '../support/service.ts'

const host = 'Host: a\r\n'

test('a misframed request after a good one leaves the answer to the good one whole', async () => {
  const { origin } = await startTestService()
  const { text } = await exchangeBytes(origin, `GET /livez HTTP/1.1\r\n${host}\r\nnonsense\r\n\r\n`)
  expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 400'])
})

test('a pipelined CONNECT is answered after the request before it', async () => {
  const { origin, apiKey } = await startTestService()
  const body = '{"name":"a","categoryId":1}'
  const fields = `${host}Authorization: Bearer ${apiKey}\r\nContent-Type: application/json\r\n`
  const post = `POST /v1/pets HTTP/1.1\r\n${fields}Content-Length: ${body.length}\r\n\r\n${body}`
  const { text } = await exchangeBytes(origin, `${post}CONNECT a:80 HTTP/1.1\r\n${host}\r\n`)
  expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 201', 'HTTP/1.1 501'])
})

test('a caller that breaks off a CONNECT does no harm', async () => {
  const { origin, send } = await startTestService()
  const socket = connect(Number(new URL(origin).port), '127.0.0.1')
  await new Promise((resolve) =>
    socket.write(`CONNECT a:80 HTTP/1.1\r\n${host}\r\n`, () => socket.once('readable', resolve)),
  )
  socket.resetAndDestroy()
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect((await send('/v1/pets')).status).toBe(200)
})

test('a long target after a good request is told from long fields', async () => {
  const { origin } = await startTestService()
  const live = `GET /livez HTTP/1.1\r\n${host}\r\n`
  const long = `GET /${'a'.repeat(20_000)} HTTP/1.1\r\n${host}\r\n`
  const { text } = await exchangeBytes(origin, live + long)
  expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 414'])
})

test('a caller that goes away in the middle of its body leaves no error behind', async () => {
  const { origin, apiKey, logged, send } = await startTestService()
  const socket = connect(Number(new URL(origin).port), '127.0.0.1')
  socket.write(
    `POST /v1/pets HTTP/1.1\r\n${host}Authorization: Bearer ${apiKey}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"name"`,
  )
  await new Promise((resolve) => setTimeout(resolve, 50))
  socket.destroy()
  expect((await send('/v1/pets')).status).toBe(200)
  expect(logged).toEqual([])
})
