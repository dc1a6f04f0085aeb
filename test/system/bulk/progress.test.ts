import { expect, test } from 'vitest'
import { createSqliteDatabase } from '../../helpers/databases/sqlite-database.ts'
import { needCommand, startCommand } from '../../helpers/program.ts'
import { manyNames, writeTable } from './files.ts'

test('an import shows on a terminal how far it is, and erases that line', async (context) => {
  needCommand(context, 'script')
  const { url } = await createSqliteDatabase()
  const file = writeTable(manyNames(3_000))
  const line = `${process.execPath} server/pets/bulk/import.ts ${file}`
  const terminal = ['-qec', line, '/dev/null']
  const { status, output } = await startCommand('script', terminal, { env: { DATABASE_URL: url } })
    .ended
  expect(output).toContain('1,000 of 3,000 records imported\r\x1b[K')
  expect([status, output]).toEqual([0, expect.stringContaining('Imported 3,000 pets from')])
})
