import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { findFreePort } from '../../helpers/free-port.ts'
import { createKeysCommandAt } from '../../helpers/keys-command.ts'
import { createPostgresPlace } from '../../helpers/places/postgres-place.ts'
import { query, whyNoPostgres } from '../../helpers/places/postgres-server.ts'
import { startCommand } from '../../helpers/program.ts'
import { startServiceProcess } from '../../helpers/service-process.ts'
import { createTemporaryFolder } from '../../helpers/temporary-folder.ts'
import { createRedisServer } from '../faults/support/redis-server.ts'
import { balancerFile, needBalancer, startBalancer, startInstance } from './balancer.ts'

beforeEach(needBalancer)

const behindOne = { TRUST_PROXY: '1' }

async function startTwo(environment: Readonly<Record<string, string>> = behindOne) {
  const file = join(createTemporaryFolder(), 'store.sqlite')
  const first = await startServiceProcess(file, environment)
  const key = await first.firstKey()
  return { key, first, second: await startServiceProcess(file, environment) }
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

test('rolling restart: instances on PostgreSQL and Redis are replaced one after the other, and no request fails', async (context) => {
  context.skip(whyNoPostgres !== undefined, whyNoPostgres)
  const redis = await createRedisServer(context)
  await redis.start()
  const { url } = await createPostgresPlace()
  const environment = { ...behindOne, DATABASE_URL: url, REDIS_URL: redis.url }
  const ports = [`${await findFreePort()}`, `${await findFreePort()}`]
  const start = (PORT: string) => startServiceProcess('', { ...environment, PORT })
  const instances = [await start(ports[0] ?? ''), await start(ports[1] ?? '')]
  const limits = ['--per-minute', '1000000', '--per-day', '1000000']
  const { key } = await createKeysCommandAt(url).make('issue', '--plan', 'enterprise', ...limits)
  const { origin, says } = await startBalancer(instances.map((instance) => instance.origin))
  let isOver = false
  const created: number[] = []
  const failures: unknown[] = []
  const load = async (): Promise<void> => {
    const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
    while (!isOver) {
      const once = { ...headers, 'Idempotency-Key': randomUUID() }
      const body = '{"name":"Rex","categoryId":7}'
      const post = await fetch(`${origin}/v1/pets`, { method: 'POST', headers: once, body })
      if (post.status === 201) created.push((await post.json()).id)
      else failures.push(await post.text())
      const get = await fetch(`${origin}/v1/pets?limit=5`, { headers })
      if (get.status !== 200) failures.push(await get.text())
      await get.body?.cancel()
      await wait(40)
    }
  }
  const loads = Promise.all([load(), load(), load()])
  for (const [index, { program }] of instances.entries()) {
    // As an operator does: the next one takes the place of the one that ended.
    expect(await program.kill('SIGTERM')).toMatchObject({ status: 0, complaint: '' })
    await says(new RegExp(`Server ready/i${index} is DOWN`))
    await start(ports[index] ?? '')
    await says(new RegExp(`Server ready/i${index} is UP`))
  }
  isOver = true
  await loads
  expect(failures).toEqual([])
  const stored = await query(url, 'SELECT id FROM animals ORDER BY id')
  expect(stored.map(({ id }) => Number(id))).toEqual(created.toSorted((a, b) => a - b))
}, 120_000)

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
  const sent: (string | undefined)[] = []
  const instance = await startInstance(({ method, socket }) => {
    sent.push(method)
    socket.destroy()
  })
  const { origin } = await startBalancer([instance])
  // Its caller learns of it by a 502 or by the end of the connection.
  const send = (init: RequestInit) => fetch(`${origin}/v1/pets`, init).catch(() => undefined)
  await send({ method: 'POST', body: '{}' })
  expect(sent).toEqual(['POST'])
  await send({ method: 'POST', body: '{}', headers: { 'Idempotency-Key': 'once' } })
  expect(sent.splice(1).length).toBeGreaterThan(1)
  await send({})
  expect(sent.slice(1).length).toBeGreaterThan(1)
})
