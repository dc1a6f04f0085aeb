import { execFileSync } from 'node:child_process'
import { renameSync, rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { createSqlitePlace } from '../support/places/sqlite-place.ts'
import { startOnFile } from './support/sqlite-service.ts'

const animal = { name: 'Rex', categoryId: 7 }

test.for([['-wal'], ['-shm'], ['-wal', '-shm']])(
  'a service that loses %s writes what was in it into its file, and goes on',
  async (endings) => {
    const { file } = await createSqlitePlace()
    const { client, send, connection } = await startOnFile(file)
    for (let turn = 0; turn < 3; turn++) await client.createPet(animal)
    for (const ending of endings) rmSync(file + ending)
    expect((await send('/readyz')).status).toBe(200)
    expect(await client.createPet(animal)).toMatchObject({ id: 4 })
    // Somebody else sees it, which would not be so in a file without a name.
    const other = new DatabaseSync(file)
    const count = other.prepare('SELECT count(*) AS count FROM animals').get()
    other.close()
    expect(count).toEqual({ count: 4 })
    expect(connection.prepare('PRAGMA journal_mode').get()).toEqual({ journal_mode: 'wal' })
    expect(connection.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' })
  },
)

test('a service whose log another program has begun anew writes to neither', async () => {
  const { file } = await createSqlitePlace()
  const { client, send } = await startOnFile(file)
  await client.createPet(animal)
  for (const ending of ['-wal', '-shm']) renameSync(file + ending, `${file}.away${ending}`)
  // Within one process SQLite would know better.
  const program = `new DatabaseSync(${JSON.stringify(file)}).exec('CREATE TABLE notes (text TEXT)')`
  const args = [
    '--input-type=module',
    '-e',
    `import { DatabaseSync } from 'node:sqlite'; ${program}`,
  ]
  execFileSync(process.execPath, args)
  await expect(client.createPet(animal, { retry: false })).rejects.toMatchObject({ status: 503 })
  expect((await send('/readyz')).status).toBe(503)
  for (const ending of ['-wal', '-shm']) renameSync(`${file}.away${ending}`, file + ending)
  expect(await client.createPet(animal)).toMatchObject({ id: 2 })
})
