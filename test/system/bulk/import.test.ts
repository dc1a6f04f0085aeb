import { expect, test } from 'vitest'
import { engines } from '../../helpers/places/engines.ts'
import { openAt } from '../../helpers/places/place.ts'
import { createSqlitePlace } from '../../helpers/places/sqlite-place.ts'
import { runInShell, startProgram } from '../../helpers/program.ts'
import { startServiceProcess } from '../../helpers/service-process.ts'
import {
  allAnimals,
  allNames,
  firstAnimalIn,
  manyNames,
  runImport,
  startImport,
  writeInput,
  writeTable,
} from './files.ts'

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

test.for(engines)('CSV and NDJSON are imported as the same animals in $name', async (engine) => {
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
  'a file that was imported is not added twice without --again in $name',
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

test('standard input is imported like a file', async () => {
  const place = await createSqlitePlace()
  const file = writeInput('animals', lines)
  const program = `DATABASE_URL='${place.url}' ${process.execPath} server/commands/import.ts`
  const fed = await runInShell(`cat ${file} | ${program} - --format ndjson`)
  expect(fed).toMatchObject({ status: 0, output: '3 animals of - are in.\n', complaint: '' })
  expect(await allAnimals(await openAt(place))).toEqual(animals)
})

const failures: readonly (readonly [complaint: RegExp, args: () => string[]])[] = [
  [/^Cannot read \/nowhere\.csv: no such file or directory\.$/, () => ['/nowhere.csv']],
  [/^Cannot read \/: it is a folder\.$/, () => ['/', '--format', 'csv']],
  [/holds no animals\. Nothing was added\.$/, () => [writeInput('none.ndjson', '\n')]],
  [/^The file is empty: line 1 names the columns\.$/, () => [writeInput('none.csv', '')]],
  [/^Cannot write \/nowhere\/x: /, () => [writeInput('a.csv', table), '--errors', '/nowhere/x']],
]

test.for(failures)('import fails with status 1 and one line like %s', async ([complaint, args]) => {
  const place = await createSqlitePlace()
  const ended = await runImport(place, ...args())
  expect(ended).toMatchObject({ status: 1, output: '' })
  expect(ended.complaint.trimEnd()).toMatch(complaint)
  expect(ended.complaint.trimEnd()).not.toContain('\n')
  expect(await allAnimals(await openAt(place))).toEqual([])
})

test('import of standard input without a writable temporary folder is one line that names TMPDIR', async () => {
  const place = await createSqlitePlace()
  // Nobody can create a folder there, root included.
  const TMPDIR = '/proc/self'
  const env = { DATABASE_URL: place.url, TMPDIR }
  const args = ['-', '--format', 'csv']
  const ended = await startProgram('server/commands/import.ts', args, { env }).ended
  expect(ended).toMatchObject({ status: 1, output: '' })
  expect(ended.complaint).toMatch(
    /^Cannot copy standard input to a temporary file in \/proc\/self: [a-z ]+\. Set TMPDIR to a writable folder with enough space\.\n$/,
  )
})

const many = 20_000

test.for(engines)(
  'a killed import continues where it was and adds nothing twice in $name',
  async (engine) => {
    const place = await engine.createPlace()
    const store = await openAt(place)
    const names = manyNames(many)
    const file = writeTable(names)
    const first = startImport(place, file)
    await firstAnimalIn(store)
    expect(await first.kill('SIGKILL')).toMatchObject({ signal: 'SIGKILL' })
    const before = await allNames(store)
    expect(before.length).toBeLessThan(many)
    expect(before).toEqual(names.slice(0, before.length))

    const second = await runImport(place, file)
    expect(second).toMatchObject({ status: 0 })
    expect(second.output).toMatch(
      /^20,000 animals of .* are in\. It went on after record [\d,]+\.\n$/,
    )
    expect(await allNames(store)).toEqual(names)
  },
)

test('SIGINT ends an import, which reports how far it is and how to continue', async () => {
  const place = await createSqlitePlace()
  const store = await openAt(place)
  const names = manyNames(many)
  const file = writeTable(names)
  const first = startImport(place, file)
  await firstAnimalIn(store)
  const ended = await first.kill('SIGINT')
  expect(ended).toMatchObject({ status: 1, output: '' })
  const [, records = ''] =
    /Stopped: ([\d,]+) of 20,000 records are in\. Run the same command again/.exec(
      ended.complaint,
    ) ?? []
  const before = await allNames(store)
  expect(before).toEqual(names.slice(0, Number(records.replaceAll(',', ''))))
  expect(await runImport(place, file)).toMatchObject({ status: 0 })
  expect(await allNames(store)).toEqual(names)
})

test.for(engines)('two imports of one file at once add it once in $name', async (engine) => {
  const place = await engine.createPlace()
  const names = manyNames(5_000)
  const file = writeTable(names)
  const ended = await Promise.all([runImport(place, file), runImport(place, file)])
  const done = ended.filter(({ status }) => status === 0)
  const overtaken = ended.filter(({ complaint }) =>
    complaint.endsWith('Another process imports the same file. Leave it to that one.\n'),
  )
  expect(done.length).toBeGreaterThan(0)
  expect(done.length + overtaken.length).toBe(2)
  expect(await allNames(await openAt(place))).toEqual(names)
})

test('a service on the same store accepts writes during an import', async () => {
  const place = await createSqlitePlace()
  const { origin, firstKey } = await startServiceProcess(place.file)
  const headers = {
    Authorization: `Bearer ${await firstKey()}`,
    'Content-Type': 'application/json',
  }
  const names = manyNames(many)
  const file = writeTable(names)
  const store = await openAt(place)
  const importing = runImport(place, file)
  await firstAnimalIn(store)
  const statuses: number[] = []
  const post = async (name: string): Promise<void> => {
    const body = JSON.stringify({ name, categoryId: 1 })
    statuses.push((await fetch(`${origin}/v1/pets`, { method: 'POST', headers, body })).status)
  }
  // Fewer than the key may send in a minute.
  for (let turn = 0; turn < 40; turn++) await post(`between ${turn}`)
  expect(await importing).toMatchObject({ status: 0 })
  expect(new Set(statuses)).toEqual(new Set([201]))
  const stored = await allNames(store)
  expect(stored.filter((name) => name.startsWith('animal'))).toEqual(names)
  expect(stored).toHaveLength(many + statuses.length)
})
