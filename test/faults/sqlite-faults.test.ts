import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createSqlitePlace } from '../support/places/sqlite-place.ts'
import type { TestService } from '../support/service.ts'
import { createSmallDisk } from './support/small-disk.ts'
import { disk, faults } from './support/sqlite-faults.ts'
import { startOnFile } from './support/sqlite-service.ts'

const animal = { name: 'Rex', categoryId: 7 }

function create({ send, apiKey }: TestService): Promise<Response> {
  const headers = { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' }
  return send('/v1/pets', { method: 'POST', headers, body: JSON.stringify(animal) })
}

/** Creates until a commit fails: a log that was grown before takes some yet on a full disk. */
async function createUntilRefused(service: TestService): Promise<number> {
  for (let added = 0; added < 1_000; added++) {
    if ((await create(service)).status === 503) return added
  }
  throw new Error('Nothing was refused.')
}

test.for(faults)('$name refuses writers alone, is told once, and heals', async (fault) => {
  const small = fault.name === disk ? createSmallDisk() : undefined
  const usual = await createSqlitePlace()
  const file = small === undefined ? usual.file : join(small.folder, 'store.sqlite')
  const service = await startOnFile(file)
  const { send, client, logged, connection } = service
  let kept = 0
  for (; kept < 3; kept++) await client.createPet(animal)

  const end = small === undefined ? fault.begin({ file, connection }) : small.fill()
  kept += await createUntilRefused(service)
  const tries = [1, 2, 3, 4, 5].map(() => create(service))
  for (const path of ['/livez', '/v1/pets', '/v1/pets/1']) {
    expect((await send(path)).status, path).toBe(200)
  }
  // A file that may not grow takes what a probe writes.
  const isSmall = fault.name === disk && small === undefined
  expect((await send('/readyz')).status).toBe(isSmall ? 200 : 503)
  for (const refused of await Promise.all(tries)) {
    expect(refused.status).toBe(503)
    expect(refused.headers.get('Retry-After')).toBe('1')
    expect(await refused.json()).toMatchObject({ code: 'unavailable', status: 503 })
  }
  const lines = () => logged.filter(({ msg }) => String(msg).includes('503 until that is over'))
  expect(lines()).toEqual([expect.objectContaining({ msg: expect.stringMatching(fault.told) })])

  end()
  expect((await send('/readyz')).status).toBe(200)
  expect(await client.createPet(animal)).toMatchObject({ name: 'Rex' })
  expect(lines()).toHaveLength(1)
  expect(logged.filter(({ msg }) => msg === 'The store can be used again.')).toHaveLength(1)
  const listed: unknown[] = []
  for await (const { id } of client.listPets({ limit: 100 })) listed.push(id)
  expect(listed).toEqual(Array.from({ length: kept + 1 }, (_, index) => index + 1))
  expect(connection.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' })
})
