import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { createRunning } from '../../server/ops/overload/running.ts'
import { createVisit, type Visit } from '../../server/ops/overload/visit.ts'

/** A request for a create of which so much has come, and what sends the others. */
async function beginCreate(content = '{', onVisit: (visit: Visit) => void = () => undefined) {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const caller = request({ port, method: 'POST', headers: { 'Content-Length': 2 } })
  caller.on('error', () => undefined).write(content)
  onTestFinished(() => {
    caller.destroy()
    server.close()
  })
  const visit = await new Promise<Visit>((come) => {
    server.once('request', (request, response) => {
      const visit = createVisit(request, response, 0)
      onVisit(visit)
      come(visit)
    })
  })
  return { caller, visit }
}

/** The same, let in before the rest of its content has come. */
async function beginEarly() {
  const { caller, visit } = await beginCreate()
  const running = createRunning()
  running.begin(visit)
  visit.request.resume()
  const end = async () => {
    caller.end('}')
    await once(visit.request, 'end')
  }
  return { running, visit, end }
}

test('a request whose content came while it waited counts from its beginning', async () => {
  const { caller, visit } = await beginCreate()
  caller.end('}')
  await expect.poll(() => visit.request.complete).toBe(true)
  const running = createRunning()
  running.begin(visit)
  expect(running.count()).toBe(1)
  running.end(visit)
  expect(running.count()).toBe(0)
})

test('a request whose content is still to come counts when all of it is there', async () => {
  const { running, end } = await beginEarly()
  expect(running.count()).toBe(0)
  await end()
  expect(running.count()).toBe(1)
})

test('a request that was answered before its content came never counts', async () => {
  const { running, visit, end } = await beginEarly()
  expect(running.end(visit)).toBe(false)
  await end()
  expect(running.count()).toBe(0)
})

test('a request whose content came with it counts before anybody has read that', async () => {
  const running = createRunning()
  const { visit } = await beginCreate('{}', running.begin)
  await nextTurn()
  expect(running.count()).toBe(1)
  visit.request.resume()
  await once(visit.request, 'end')
  expect(running.count()).toBe(1)
})
