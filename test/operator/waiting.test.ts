import { connect } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { createSqlitePlace } from '../support/places/sqlite-place.ts'
import { startTestService } from '../support/service.ts'

test('while the store takes no writes, they wait for their turn, and reads and probes do not', async () => {
  const place = await createSqlitePlace()
  const service = await startTestService({ REQUESTS_AT_ONCE: '2' }, place)
  const unblock = await place.blockWriters()
  const names = Array.from({ length: 10 }, (_, number) => `animal ${number}`)
  let isAdded = false
  const added = Promise.all(
    names.map((name) => service.client.createPet({ name, categoryId: 7 })),
  ).finally(() => {
    isAdded = true
  })
  expect((await fetch(`${service.origin}/readyz`)).status).toBe(200)
  for (let count = 0; count < 5; count++) expect(await service.client.listPets()).toEqual([])
  expect(isAdded).toBe(false)
  await unblock()
  expect((await added).map(({ name }) => name)).toEqual(names)
})

test('whoever takes no answer keeps nobody else from being served', async () => {
  const service = await startTestService({ REQUESTS_AT_ONCE: '1' })
  const { hostname, port } = new URL(service.origin)
  const page = 'GET /docs HTTP/1.1\r\nHost: a\r\n\r\n'
  for (let count = 0; count < 5; count++) {
    const reader = connect(Number(port), hostname)
    onTestFinished(() => void reader.destroy())
    reader.pause().write(page.repeat(99))
  }
  for (let count = 0; count < 5; count++) expect(await service.client.listPets()).toEqual([])
})

test('whoever has waited for a second is told to come back', async () => {
  const place = await createSqlitePlace()
  const service = await startTestService({ REQUESTS_AT_ONCE: '1' }, place)
  const unblock = await place.blockWriters()
  const send = () =>
    service.send('/v1/pets', {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${service.apiKey}`,
        'Content-Type': 'application/json',
      },
      body: JSON.stringify({ name: 'Rex', categoryId: 7 }),
    })
  const [first, ...others] = Array.from({ length: 5 }, send)
  for (const response of await Promise.all(others)) {
    expect(response.status).toBe(503)
    expect(response.headers.get('retry-after')).toMatch(/^[1-4]$/)
  }
  await unblock()
  await first
})

test('whoever is slow to send a body keeps nobody else from being served', async () => {
  const service = await startTestService({ REQUESTS_AT_ONCE: '1' })
  const { hostname, port } = new URL(service.origin)
  const fields = [`Authorization: Bearer ${service.apiKey}`, 'Content-Type: application/json']
  const head = `POST /v1/pets HTTP/1.1\r\nHost: a\r\n${fields.join('\r\n')}\r\n`
  const slow = connect(Number(port), hostname)
  onTestFinished(() => void slow.destroy())
  // Asked for its body, the request has begun.
  slow.write(`${head}Content-Length: 50\r\nExpect: 100-continue\r\n\r\n`)
  await new Promise((asked) => slow.once('data', asked))
  slow.write('{')
  expect(await service.client.listPets()).toEqual([])
})

test('whoever leaves while waiting takes no place when the turn comes', async () => {
  const place = await createSqlitePlace()
  const service = await startTestService({ REQUESTS_AT_ONCE: '1' }, place)
  const unblock = await place.blockWriters()
  const added = service.client.createPet({ name: 'Rex', categoryId: 7 })
  const letItWork = async () => {
    for (let turn = 0; turn < 3; turn++) await fetch(`${service.origin}/livez`)
  }
  await letItWork()
  const { hostname, port } = new URL(service.origin)
  const leaving = Array.from({ length: 3 }, () => connect(Number(port), hostname))
  const other = JSON.stringify({ name: 'Mia', categoryId: 7 })
  const fields = [
    ...['Host: a', `Authorization: Bearer ${service.apiKey}`, 'Content-Type: application/json'],
    `Content-Length: ${other.length}`,
  ]
  for (const socket of leaving) {
    socket.write(`POST /v1/pets HTTP/1.1\r\n${fields.join('\r\n')}\r\n\r\n${other}`)
  }
  await letItWork()
  for (const socket of leaving) socket.destroy()
  await letItWork()
  await unblock()
  await added
  expect((await service.client.listPets()).map(({ name }) => name)).toEqual(['Rex'])
})
