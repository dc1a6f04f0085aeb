import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { startServiceProcess } from '../support/service-process.ts'
import { createTemporaryFolder } from '../support/temporary-folder.ts'

// Ends the process where the answer would be written: after the commit, and before anybody hears of it.
const killer = `import { ServerResponse } from 'node:http'
const { writeHead } = ServerResponse.prototype
ServerResponse.prototype.writeHead = function (status, ...rest) {
  if (status === 201) process.kill(process.pid, 'SIGKILL')
  return writeHead.call(this, status, ...rest)
}`
const killed = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(killer)}` }

test('killed between commit and answer, a create that is repeated under its key is one animal', async () => {
  const file = join(createTemporaryFolder(), 'store.sqlite')
  const first = await startServiceProcess(file, killed)
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
  await expect(request(first.origin)).rejects.toThrow('fetch failed')
  const reader = new DatabaseSync(file, { readOnly: true })
  const animals = () =>
    Number(reader.prepare('SELECT count(*) AS count FROM animals').get()?.['count'])
  expect(animals()).toBe(1)

  const second = await startServiceProcess(file)
  const again = await request(second.origin)
  expect(again.status).toBe(201)
  expect(again.headers.get('idempotent-replayed')).toBe('true')
  expect(await again.json()).toEqual({ id: 1, name: 'Rex', categoryId: 7 })
  expect(animals()).toBe(1)
  reader.close()
})
