import { readFileSync, symlinkSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readServedApi } from '../../../server/served-api.ts'
import { engines } from '../../helpers/databases/engines.ts'
import { createPostgresDatabase } from '../../helpers/databases/postgres-database.ts'
import { createSqliteDatabase } from '../../helpers/databases/sqlite-database.ts'
import { openAt } from '../../helpers/databases/test-database.ts'
import { expectFailure, expectSuccess } from '../../helpers/npm-script.ts'
import { project, runInShell } from '../../helpers/program.ts'
import { petStatuses } from '../support/contract.ts'
import { startAnimalStore } from '../support/service.ts'
import {
  allNames,
  allPets,
  firstPetIn,
  manyNames,
  runOwn,
  startOwn,
  writeInput,
  writeTable,
} from './files.ts'

const table =
  '"status",name,categoryId\r\nsold,"a, ""b""\nc",7.0\r\n,=1+1,-0\r\n\r\n,"🦊 ",9007199254740991'
const lines = `{"name":"a, \\"b\\"\\nc","categoryId":7,"status":"sold"}
{"categoryId":-0,"name":"=1+1"}\r

{"name":"🦊 ","categoryId":9007199254740991}`
const pets = [
  { name: 'a, "b"\nc', categoryId: 7, status: 'sold' },
  { name: '=1+1', categoryId: 0 },
  { name: '🦊 ', categoryId: 9_007_199_254_740_991 },
]

test.for(engines)(
  'CSV, and NDJSON from standard input, are imported as the same pets, and no file twice without --again, in $name',
  async ({ createTestDatabase }) => {
    const db = await createTestDatabase()
    const stored = async () => (await allPets(db)).map(({ id: _, ...fields }) => fields)
    const file = writeInput('pets.CSV', `\uFEFF${table}`)
    const added = await expectSuccess(runOwn(db, 'import', file))
    expect(added).toBe(`Imported 3 pets from ${file}.\n`)
    expect(await stored()).toEqual(pets)
    const again = await expectSuccess(runOwn(db, 'import', file))
    expect(again).toMatch(/was imported already, at \d{4}-.*Z: 3 pets\. .* --again\n$/)
    expect(await stored()).toEqual(pets)
    await expectSuccess(runOwn(db, 'import', file, '--again'))
    const program = `DATABASE_URL='${db.url}' ${process.execPath} server/api/commands/import.ts`
    const line = `${program} - --format ndjson < ${writeInput('pets', lines)}`
    expect(await expectSuccess(runInShell(line, project))).toBe('Imported 3 pets from -.\n')
    expect(await stored()).toEqual([...pets, ...pets, ...pets])
  },
)

const many = 20_000

const stops = engines.map((engine, index) => ({
  ...engine,
  signal: index === 0 ? ('SIGINT' as const) : ('SIGKILL' as const),
}))

test.for(stops)(
  'an import that ended by $signal continues where it was and adds nothing twice, also by two processes at once, in $name',
  async ({ createTestDatabase, signal }) => {
    const db = await createTestDatabase()
    await openAt(db, readServedApi())
    const names = manyNames(many)
    const file = writeTable(names)
    const first = startOwn(db, 'import', file)
    await firstPetIn(db)
    const ended = await first.kill(signal)
    const kept = await allNames(db)
    expect(kept.length).toBeLessThan(many)
    expect(kept).toEqual(names.slice(0, kept.length))
    const errorOutput = 'Stopped. Run the same command again to continue.\n'
    const how = signal === 'SIGINT' ? { status: 1, output: '', errorOutput } : { signal }
    expect(ended).toMatchObject(how)
    const both = [runOwn(db, 'import', file), runOwn(db, 'import', file)]
    const printed = await Promise.all(both.map(expectSuccess))
    expect(printed.join('')).toMatch(
      /^Imported 20,000 pets from .*\. It continued after record [\d,]+\.$/m,
    )
    expect(await allNames(db)).toEqual(names)
  },
)

test('a service on the same store accepts writes during an import', async () => {
  const { send, db } = await startAnimalStore({ RATE_LIMITS: 'off' })
  const names = manyNames(many)
  let isOver = false
  const importing = runOwn(db, 'import', writeTable(names)).finally(() => {
    isOver = true
  })
  const json = { name: 'Rex', categoryId: 1 }
  while (!isOver) {
    expect((await send('/v1/pets', { json })).status).toBe(201)
  }
  await expectSuccess(importing)
  const stored = await allNames(db)
  expect(stored.filter((name) => name !== 'Rex')).toEqual(names)
  const during = stored.slice(stored.indexOf('pet 0'), stored.indexOf(`pet ${many - 1}`))
  expect(during).toContain('Rex')
})

test('import may take longer than a request, which is 503 while statements are slow', async () => {
  const db = await createPostgresDatabase()
  const { send } = await startAnimalStore({}, db)
  await db.execute('ALTER TABLE pets ADD CHECK (pg_sleep(2) IS NOT NULL) NOT VALID')
  const importing = runOwn(db, 'import', writeTable(['Rex']))
  expect((await send('/v1/pets', { json: { name: 'Mia', categoryId: 1 } })).status).toBe(503)
  await expectSuccess(importing)
  expect(await allNames(db)).toEqual(['Rex'])
})

test('an invalid record of NDJSON has the error message that the service sends for it; a file of such records adds nothing, also with --skip-invalid', async () => {
  const { send, db } = await startAnimalStore()
  const rejected = [
    '{"name":"","categoryId":7}',
    '{"categoryId":"7","status":"gone","colour":"red"}',
    '{"name":"Rex","categoryId":9007199254740993}',
    '{"name":"Rex","name":"Mia","categoryId":7}',
    '[]',
    '{"name":',
  ]
  const expected: string[] = []
  for (const [index, json] of rejected.entries()) {
    const response = await send('/v1/pets', { json })
    expect(response.status).toBe(400)
    const { details }: { details: { path: string; message: string }[] } = await response.json()
    const reasons = details.map(({ path, message }) =>
      `${path.replace(/^\/body\/?/, '')} ${message}`.trimStart(),
    )
    expected.push(`Line ${index + 1}: ${reasons.join('; ')}`)
  }
  // A terminal would follow the name of this field.
  rejected.push('{"name":"Rex","categoryId":7,"\\u001b[2J":1}')
  expected.push('Line 7: \\u{1b}[2J is not a known field')
  const file = writeInput('bad.ndjson', rejected.join('\n'))
  for (const options of [[], ['--skip-invalid']]) {
    const { status, output, errorOutput } = await runOwn(db, 'import', file, ...options)
    expect({ status, output }).toEqual({ status: 1, output: '' })
    const reason = `Nothing was added: 7 of 7 records of ${file} break the contract.`
    expect(errorOutput).toBe([...expected, `${reason} Fix them.`, ''].join('\n'))
  }
  const exported = writeInput('one.ndjson', '{"id":5,"name":"Rex","categoryId":7}')
  expect((await runOwn(db, 'import', exported)).errorOutput).toMatch(
    /^Line 1: id is not .*\nNothing was added: 1 of 1 record of \S+ breaks the contract\. .* --new-ids /,
  )
})

const badTable =
  'name,categoryId,status\n"two\nlines",1,\n,2,\nMia,0x3,gone\n"a\r\nb\rc",x,\nTom,x,\nRex,7,sold'
const errors = [
  expect.stringMatching(/^Line 4: name is [a-z]+$/),
  `Line 5: categoryId must be an integer; status must be one of ${petStatuses.join(', ')}`,
  'Line 6: categoryId must be an integer',
  'Line 8: categoryId must be an integer',
]

test('every invalid record of a CSV file is reported with its line; --skip-invalid adds the others, and --errors lists them', async () => {
  const db = await createSqliteDatabase()
  const file = writeInput('bad.csv', badTable)
  const { status, errorOutput } = await runOwn(db, 'import', file)
  expect(status).toBe(1)
  expect(errorOutput.trimEnd().split('\n').slice(0, -1)).toEqual(errors)
  expect(await allNames(db)).toEqual([])
  const list = `${file}.errors`
  const importing = runOwn(db, 'import', file, '--skip-invalid', '--errors', list)
  const output = `Imported 2 pets from ${file}, without 4 records that break the contract.\n`
  expect(await expectSuccess(importing)).toBe(output)
  expect(readFileSync(list, 'utf8').trimEnd().split('\n')).toEqual(errors)
  expect(await allNames(db)).toEqual(['two\nlines', 'Rex'])
})

/** Files that are not imported, with the line that says why. */
const broken: readonly (readonly [text: string | Buffer, errorOutput: RegExp])[] = [
  [
    `name,categoryId\nRex,1\n"${'x'.repeat(3_000_000)},1\n`,
    /^Not CSV .*: record exceed .* at line 3\./,
  ],
  ['name,categoryId\r\n"a\r\nb",1\r\n\r\n"c,1\r\nd,2\r\n', /^Not CSV .* quote at line 5\./],
  ['name,categoryId\r\n"a\r\nb",1\r\n\r\nc\r\nd,1', /^Not CSV .* got 1 on line 5\./],
  [Buffer.from('name,categoryId\nRex,1\nZo\xeb,2', 'latin1'), /^Line 3 is not UTF-8\. Save /],
  ['name\nRex', /^Line 1 must name the columns, .*: categoryId is missing\./],
  ['name,categoryId,name\nRex,1,2', /: "name" occurs twice\./],
  ['name,categoryId,\u{9b}2J\nRex,1,red', /: "\\u\{9b\}2J" is not a column\./],
  ['id,name,categoryId\n1,Rex,1', /: the service assigns id; add --new-ids /],
  ['name,categoryId\n', /has no pets\. Nothing was added\.$/],
]

test('a file that cannot be imported is one line with status 1, and nothing is added', async () => {
  const db = await createSqliteDatabase()
  await openAt(db, readServedApi())
  for (const [text, line] of broken) {
    const file = writeInput('a.csv', text)
    await expectFailure(runOwn(db, 'import', file, '--skip-invalid'), line)
  }
  const good = writeInput('a.csv', 'name,categoryId\nRex,1\n')
  const link = `${good}.link`
  symlinkSync(good, link)
  const run = (errors: string) => runOwn(db, 'import', good, '--errors', errors)
  await expectFailure(run('/nowhere/x'), /^Cannot write \/nowhere\/x: /)
  await expectFailure(run(link), `${link} is the input. Name another file.`)
  expect(readFileSync(good, 'utf8')).toMatch(/Rex/)
  expect(await allNames(db)).toEqual([])
})
