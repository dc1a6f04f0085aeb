import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { startServiceProcess } from '../../helpers/service-process.ts'
import { createTemporaryFolder } from '../../helpers/temporary-folder.ts'

// No first key is made: nothing has to be written.
const production = { NODE_ENV: 'production' }

test('a service starts while another process writes to its store', async () => {
  const file = join(createTemporaryFolder(), 'store.sqlite')
  const first = await startServiceProcess(file, production)
  const writer = new DatabaseSync(file)
  onTestFinished(() => writer.close())
  writer.exec('BEGIN IMMEDIATE')
  const second = await startServiceProcess(file, production)
  expect((await fetch(`${second.origin}/openapi.json`)).status).toBe(200)
  writer.exec('ROLLBACK')
  for (const { program } of [first, second]) {
    expect(await program.kill('SIGTERM')).toMatchObject({ status: 0 })
  }
})
