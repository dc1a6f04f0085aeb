import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { placeAt } from '../support/places/postgres-place.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { add, isUnavailable, list } from './support/asking.ts'
import { startCluster, whyNoCluster } from './support/cluster.ts'

interface Writer {
  readonly acknowledged: Map<string, number>
  readonly statuses: Set<number>
  readonly end: () => Promise<void>
}

/** Adds one animal after the other, each until it is acknowledged. */
function startWriter(service: TestService, name: string): Writer {
  const acknowledged = new Map<string, number>()
  const statuses = new Set<number>()
  let isOver = false
  async function write(): Promise<void> {
    for (let turn = 0; !isOver; ) {
      const key = `${name} ${turn}`
      const response = await add(service, key)
      statuses.add(response.status)
      const { id } = await response.json()
      if (response.status !== 201) continue
      acknowledged.set(key, id)
      turn++
    }
  }
  const writing = write()
  return {
    acknowledged,
    statuses,
    end() {
      isOver = true
      return writing
    },
  }
}

test('a server that is stopped and started under writers loses and doubles nothing, and nobody restarts the service', async ({
  skip,
}) => {
  skip(whyNoCluster !== undefined, whyNoCluster)
  const cluster = await startCluster()
  const service = await startTestService({}, placeAt(cluster.url))
  await list(service)
  const writers = ['a', 'b', 'c', 'd'].map((name) => startWriter(service, name))
  await wait(300)
  await cluster.stop()
  expect(await isUnavailable(await list(service))).toBe(true)
  expect((await service.send('/readyz')).status).toBe(503)
  expect((await service.send('/livez')).status).toBe(200)
  await cluster.start()
  expect((await list(service)).status).toBe(200)
  expect((await service.send('/readyz')).status).toBe(200)
  await wait(300)
  await Promise.all(writers.map(({ end }) => end()))

  // Each met the outage, and went on after it.
  for (const { statuses } of writers) expect(statuses).toEqual(new Set([201, 503]))
  const ids = writers.flatMap(({ acknowledged }) => [...acknowledged.values()])
  const kept: number[] = []
  for await (const { id } of service.client.listPets({ limit: 100 })) kept.push(id)
  expect(kept).toEqual(ids.toSorted((a, b) => a - b))
})
