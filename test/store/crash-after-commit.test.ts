import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { startServiceProcess } from '../support/service-process.ts'
import { createTemporaryFolder } from '../support/temporary-folder.ts'

test('killed between commit and answer, a create that is repeated under its key is one animal', async () => {
  const file = join(createTemporaryFolder(), 'store.sqlite')
  const first = await startServiceProcess(file)
  const key = await first.firstKey()
  const request = (origin: string) =>
    fetch(`${origin}/v1/pets`, {
      method: 'POST',
      body: JSON.stringify({ name: 'Rex', categoryId: 7 }),
      headers: {
        Authorization: `Bearer ${key}`,
        'Content-Type': 'application/json',
        'Idempotency-Key': 'once',
      },
    })
  const answer = request(first.origin).then(
    () => 'answered',
    () => 'broken off',
  )
  const reader = new DatabaseSync(file, { readOnly: true })
  const animals = () =>
    Number(reader.prepare('SELECT count(*) AS count FROM animals').get()?.['count'])
  // The row is on the disk; the answer is still being checked, which takes longest the first time.
  while (animals() === 0) await new Promise(setImmediate)
  await first.program.kill('SIGKILL')
  expect(await answer).toBe('broken off')

  const second = await startServiceProcess(file)
  const again = await request(second.origin)
  expect(again.status).toBe(201)
  expect(again.headers.get('idempotent-replayed')).toBe('true')
  expect(await again.json()).toEqual({ id: 1, name: 'Rex', categoryId: 7 })
  expect(animals()).toBe(1)
  reader.close()
})
