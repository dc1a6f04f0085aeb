import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { engines } from '../../helpers/databases/engines.ts'
import { createSqliteDatabase } from '../../helpers/databases/sqlite-database.ts'
import { expectFailure, expectSuccess } from '../../helpers/npm-script.ts'
import { project, runInShell } from '../../helpers/program.ts'
import { createTemporaryFolder } from '../../helpers/temporary-folder.ts'
import { maxNameLength } from '../support/contract.ts'
import { startAnimalStore } from '../support/service.ts'
import { allPets, manyNames, runOwn, writeInput, writeTable } from './files.ts'

/** Names that a table or a spreadsheet may change. */
const awkward = [
  'a, b',
  '"',
  '""',
  'a "quoted" name',
  'two\nlines',
  'two\r\nlines',
  '\n',
  ' ',
  ' both ',
  '\t',
  '=1+1',
  '-1',
  'null',
  '007',
  '\\',
  '🦊👩‍👩‍👧e\u0301',
  '\u2028',
  '\uFEFFmark',
  '\u0001',
  'x'.repeat(maxNameLength),
]

test.for(engines)(
  'export from $name and import with --new-ids give the same pets, byte for byte, and --status some of them',
  async ({ createTestDatabase }) => {
    const db = await createTestDatabase()
    // More than a page of the export.
    await runOwn(db, 'import', writeTable(manyNames(2_500)))
    const { client } = await startAnimalStore({}, db)
    for (const [index, name] of awkward.entries()) {
      const status = (['available', 'pending', 'sold', undefined] as const)[index % 4]
      await client.createPet({ name, categoryId: index - 3, ...(status && { status }) })
    }
    const pets = await allPets(db)
    expect(pets.slice(2_500).map(({ name }) => name)).toEqual(awkward)
    for (const format of ['csv', 'ndjson']) {
      const output = await expectSuccess(runOwn(db, 'export', '--format', format))
      const file = writeInput(`pets.${format}`, output)
      const other = await createSqliteDatabase()
      const rejected = await runOwn(other, 'import', file)
      expect([rejected.status, rejected.output]).toEqual([1, ''])
      expect(rejected.errorOutput).toMatch(/ add --new-ids to assign new \w+.*\.\n$/)
      await expectSuccess(runOwn(other, 'import', file, '--new-ids'))
      expect(await allPets(other)).toEqual(pets)
    }
    const file = join(createTemporaryFolder(), 'sold.csv')
    const exporting = runOwn(db, 'export', '--status', 'sold', '--out', file)
    const sold = pets.filter(({ status }) => status === 'sold')
    const output = `Exported ${sold.length} pets to ${file}.\n`
    expect(await expectSuccess(exporting)).toBe(output)
    const text = readFileSync(file, 'utf8')
    expect(text).toMatch(/^id,name,categoryId,status.*\r\n2503,"""""",-1,sold.*\r\n/)
    expect(text.match(/,sold\b.*\r\n/g)).toHaveLength(sold.length)
    expect(readdirSync(dirname(file))).toEqual(['sold.csv'])
  },
)

test('export rejects the store as --out, and a folder that does not exist', async () => {
  const db = await createSqliteDatabase()
  await runOwn(db, 'import', writeTable(['Rex']))
  const to = (file: string) => runOwn(db, 'export', '--out', file)
  await expectFailure(to(db.file), `${db.file} is the database itself. Name another file.`)
  await expectFailure(to('/nowhere/a.csv'), /^Cannot write \/nowhere\/a\.csv: /)
  expect(await allPets(db)).toHaveLength(1)
})

test('export to a reader that closes the pipe ends with status 0', async () => {
  const db = await createSqliteDatabase()
  await runOwn(db, 'import', writeTable(manyNames(5_000)))
  const program = `DATABASE_URL='${db.url}' ${process.execPath} server/api/commands/export.ts`
  const closed = await runInShell(`{ ${program}; echo "status $?" >&2; } | head -n 1`, project)
  expect(closed).toMatchObject({
    output: '{"id":1,"name":"pet 0","categoryId":7}\n',
    errorOutput: 'status 0\n',
  })
})
