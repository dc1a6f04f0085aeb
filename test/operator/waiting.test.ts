import { connect } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { createSqlitePlace } from '../support/places/sqlite-place.ts'
import { startTestService } from '../support/service.ts'

test('while the store takes its time, others wait for their turn, and probes do not', async () => {
  const place = await createSqlitePlace()
  const service = await startTestService({ REQUESTS_AT_ONCE: '2' }, place)
  const unblock = await place.blockWriters()
  const names = Array.from({ length: 10 }, (_, number) => `animal ${number}`)
  const added = Promise.all(names.map((name) => service.client.createPet({ name, categoryId: 7 })))
  let isListed = false
  const [, page] = [
    await fetch(`${service.origin}/readyz`),
    service.client.listPets().then((animals) => {
      isListed = true
      return animals
    }),
  ]
  for (let turn = 0; turn < 3; turn++) await fetch(`${service.origin}/livez`)
  expect(isListed).toBe(false)
  await unblock()
  expect((await added).map(({ name }) => name)).toEqual(names)
  await page
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
  for (const socket of leaving) socket.write('GET /v1/pets HTTP/1.1\r\nHost: a\r\n\r\n')
  await letItWork()
  for (const socket of leaving) socket.destroy()
  await letItWork()
  await unblock()
  const { id } = await added
  expect(await service.client.getPet(id)).toMatchObject({ name: 'Rex' })
  expect(service.requestLines.filter(({ path }) => path === '/v1/pets')).toHaveLength(1)
})
