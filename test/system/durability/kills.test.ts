import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { engines } from '../../helpers/databases/engines.ts'
import { startServiceProcess } from '../../helpers/service-process.ts'
import { createTemporaryFolder } from '../../helpers/temporary-folder.ts'
import { createPet, runKillRounds } from './kill-rounds.ts'

test.for(engines)(
  'every acknowledged create is stored once after each of five kills under eight writers, in $name',
  async ({ createTestDatabase }) => {
    expect(await runKillRounds(await createTestDatabase(), 5)).toBeGreaterThan(5)
  },
)

// Ends the process where the response would be written: after the commit.
const killer = `import { ServerResponse } from 'node:http'
const { writeHead } = ServerResponse.prototype
ServerResponse.prototype.writeHead = function (status, ...rest) {
  if (status === 201) process.kill(process.pid, 'SIGKILL')
  return writeHead.call(this, status, ...rest)
}`
const killed = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(killer)}` }

test('a create that is repeated under its idempotency key after a kill between commit and response is one pet', async () => {
  const file = join(createTemporaryFolder(), 'store.sqlite')
  const first = await startServiceProcess(file, killed)
  const key = await first.firstKey()
  await expect(createPet(first.origin, key, 'Rex', true)).rejects.toThrow('fetch failed')
  const reader = new DatabaseSync(file, { readOnly: true })
  const pets = () =>
    Number(reader.prepare('SELECT count(*) AS count FROM animals').get()?.['count'])
  expect(pets()).toBe(1)

  const second = await startServiceProcess(file)
  const again = await createPet(second.origin, key, 'Rex', true)
  expect(again).toEqual({ id: 1, isRepeated: true })
  expect(pets()).toBe(1)
  reader.close()
})
