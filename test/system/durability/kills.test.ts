import { expect, test } from 'vitest'
import { engines } from '../../helpers/databases/engines.ts'
import { createSqliteDatabase } from '../../helpers/databases/sqlite-database.ts'
import { startServiceProcess } from '../../helpers/service-process.ts'
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
  const { url, execute } = await createSqliteDatabase()
  const first = await startServiceProcess({ ...killed, DATABASE_URL: url })
  const key = await first.firstKey()
  await expect(createPet(first.origin, key, 'Rex', true)).rejects.toThrow('fetch failed')
  const pets = () => execute('SELECT id FROM animals')
  expect(await pets()).toEqual([{ id: 1 }])

  const second = await startServiceProcess({ DATABASE_URL: url })
  const again = await createPet(second.origin, key, 'Rex', true)
  expect(again).toEqual({ id: 1, isRepeated: true })
  expect(await pets()).toEqual([{ id: 1 }])
})
