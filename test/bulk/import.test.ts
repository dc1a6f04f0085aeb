import { expect, test } from 'vitest'
import { engines } from '../support/places/engines.ts'
import { openAt } from '../support/places/place.ts'
import { createSqlitePlace } from '../support/places/sqlite-place.ts'
import { runInShell } from '../support/program.ts'
import { runImport } from './commands.ts'
import { allAnimals, writeInput } from './files.ts'

const table =
  'status,name,categoryId\r\nsold,"a, ""b""\nc",7\r\n,=1+1,-0\r\n\r\n,"🦊 ",9007199254740991'
const lines = `{"name":"a, \\"b\\"\\nc","categoryId":7,"status":"sold"}
{"categoryId":-0,"name":"=1+1"}\r

{"name":"🦊 ","categoryId":9007199254740991}`
const animals = [
  { id: 1, name: 'a, "b"\nc', categoryId: 7, status: 'sold' },
  { id: 2, name: '=1+1', categoryId: 0 },
  { id: 3, name: '🦊 ', categoryId: 9_007_199_254_740_991 },
]

test.for(engines)('a table and lines of JSON become the same animals in $name', async (engine) => {
  for (const [name, text] of [
    ['animals.csv', `\uFEFF${table}`],
    ['animals.NDJSON', lines],
  ] as const) {
    const place = await engine.createPlace()
    const file = writeInput(name, text)
    const output = `3 animals of ${file} are in.\n`
    expect(await runImport(place, file)).toMatchObject({ status: 0, output, complaint: '' })
    expect(await allAnimals(await openAt(place))).toEqual(animals)
  }
})

test.for(engines)(
  'what was imported is not imported twice unless it is asked for in $name',
  async (engine) => {
    const place = await engine.createPlace()
    const file = writeInput('animals.csv', table)
    await runImport(place, file)
    const again = await runImport(place, file)
    expect(again).toMatchObject({ status: 0, complaint: '' })
    expect(again.output).toMatch(/was imported already, at \d{4}-.*Z: 3 animals\. .* --again\n$/)
    const store = await openAt(place)
    expect(await allAnimals(store)).toHaveLength(3)
    expect(await runImport(place, file, '--again')).toMatchObject({ status: 0 })
    expect(await allAnimals(store)).toHaveLength(6)
  },
)

test('standard input is imported as a file is', async () => {
  const place = await createSqlitePlace()
  const file = writeInput('animals', lines)
  const program = `DATABASE_URL='${place.url}' ${process.execPath} server/commands/import.ts`
  const fed = await runInShell(`cat ${file} | ${program} - --format ndjson`)
  expect(fed).toMatchObject({ status: 0, output: '3 animals of - are in.\n', complaint: '' })
  expect(await allAnimals(await openAt(place))).toEqual(animals)
})

const wrong: readonly (readonly [status: number, complaint: RegExp, args: () => string[]])[] = [
  [1, /^Cannot read \/nowhere\.csv: no such file or directory\.$/, () => ['/nowhere.csv']],
  [1, /^Cannot read \/: it is a folder\.$/, () => ['/', '--format', 'csv']],
  [1, /holds no animals\. Nothing was added\.$/, () => [writeInput('none.ndjson', '\n')]],
  [1, /^The file is empty: line 1 names the columns\.$/, () => [writeInput('none.csv', '')]],
  [1, /^Cannot write \/nowhere\/x: /, () => [writeInput('a.csv', table), '--errors', '/nowhere/x']],
  [2, /^Name one file to import\. /, () => []],
  [2, /^Name one file to import\. /, () => ['a.csv', 'b.csv']],
  [2, /^Say what the file is: --format csv or --format ndjson\.$/, () => ['animals.txt']],
  [2, /^Say what the file is: /, () => ['a.csv', '--format', 'xml']],
  [2, /^Unknown option '--nope'/, () => ['a.csv', '--nope']],
]

test.for(wrong)('status %s and one line like %s', async ([status, complaint, args]) => {
  const place = await createSqlitePlace()
  const ended = await runImport(place, ...args())
  expect(ended).toMatchObject({ status, output: '' })
  expect(ended.complaint.trimEnd()).toMatch(complaint)
  expect(ended.complaint.trimEnd()).not.toContain('\n')
  expect(await allAnimals(await openAt(place))).toEqual([])
})
