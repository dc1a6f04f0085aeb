import { truncateSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { startProgram } from '../../helpers/program.ts'
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

test('a damaged store ends the start with one line that says what to do', async () => {
  const file = join(createTemporaryFolder(), 'store.sqlite')
  const service = await startServiceProcess(file, production)
  await service.program.kill('SIGTERM')
  truncateSync(file, 8_192)
  const env = { PORT: '0', DATABASE_URL: `sqlite:${file}` }
  const { status, output, complaint } = await startProgram('server/main.ts', [], { env }).ended
  expect({ status, output }).toEqual({ status: 1, output: '' })
  expect(complaint).toMatch(
    /^The database \S+ is damaged \([^\n]+\) and was left as it is\. [^\n]+\n$/,
  )
  expect(complaint).toContain('Restore a backup (README.md, "Backup and restore").')
})
