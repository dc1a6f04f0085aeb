import { renameSync, rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { createSqlitePlace } from '../support/places/sqlite-place.ts'
import { startTestService } from '../support/service.ts'

const animal = { name: 'Rex', categoryId: 7 }

test('a database file that is moved away stops writes and readiness, and back in place all is well', async () => {
  const { file: databaseFile, ...place } = await createSqlitePlace()
  const { client, send, logged } = await startTestService({}, place)
  await client.createPet(animal)
  renameSync(databaseFile, `${databaseFile}.away`)
  await expect(client.createPet(animal, { retry: false })).rejects.toMatchObject({
    status: 503,
    code: 'unavailable',
    retryAfter: 1,
  })
  expect((await send('/readyz')).status).toBe(503)
  expect((await send('/livez')).status).toBe(200)
  expect(JSON.stringify(logged)).toContain('was moved or deleted')
  renameSync(`${databaseFile}.away`, databaseFile)
  expect(await client.createPet(animal)).toMatchObject({ id: 2 })
  expect((await send('/readyz')).status).toBe(200)
})

test('nothing is acknowledged that would go to a deleted file', async () => {
  const { file: databaseFile, ...place } = await createSqlitePlace()
  const { client } = await startTestService({}, place)
  await client.createPet(animal)
  rmSync(databaseFile)
  await expect(client.createPet(animal, { retry: false })).rejects.toMatchObject({ status: 503 })
})

test('expired idempotency keys go a few at a time, and one of them may be used again', async () => {
  const { file: databaseFile, ...place } = await createSqlitePlace()
  const { client } = await startTestService({}, place)
  const { id } = await client.createPet(animal)
  const other = new DatabaseSync(databaseFile)
  const insert = other.prepare("INSERT INTO idempotency_keys VALUES ('key_x', ?, '', ?, 1)")
  for (let number = 0; number < 1_000; number++) insert.run(String(number), id)
  const count = () =>
    Number(other.prepare('SELECT count(*) AS count FROM idempotency_keys').get()?.['count'])
  await client.createPet(animal, { headers: { 'Idempotency-Key': 'abc' } })
  expect(count()).toBeLessThan(1_000)
  for (let turn = 0; turn < 20; turn++) await client.createPet(animal)
  expect(count()).toBe(22)
  other.close()
})
