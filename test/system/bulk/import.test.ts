import { expect, test } from 'vitest'
import { engines } from '../../helpers/places/engines.ts'
import { openAt } from '../../helpers/places/place.ts'
import { createSqlitePlace } from '../../helpers/places/sqlite-place.ts'
import { runInShell } from '../../helpers/program.ts'
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
  '"status",name,categoryId\r\nsold,"a, ""b""\nc",7\r\n,=1+1,-0\r\n\r\n,"🦊 ",9007199254740991'
const lines = `{"name":"a, \\"b\\"\\nc","categoryId":7,"status":"sold"}
{"categoryId":-0,"name":"=1+1"}\r

{"name":"🦊 ","categoryId":9007199254740991}`
const animals = [
  { name: 'a, "b"\nc', categoryId: 7, status: 'sold' },
  { name: '=1+1', categoryId: 0 },
  { name: '🦊 ', categoryId: 9_007_199_254_740_991 },
]

test.for(engines)(
  'CSV and NDJSON are imported as the same animals, and no file twice without --again, in $name',
  async ({ createPlace }) => {
    const place = await createPlace()
    const store = await openAt(place)
    const stored = async () => (await allAnimals(store)).map(({ id: _, ...fields }) => fields)
    const file = writeInput('animals.csv', `\uFEFF${table}`)
    const output = `3 animals of ${file} are in.\n`
    expect(await runImport(place, file)).toMatchObject({ status: 0, output, complaint: '' })
    expect(await stored()).toEqual(animals)
    const again = await runImport(place, file)
    expect(again).toMatchObject({ status: 0, complaint: '' })
    expect(again.output).toMatch(/was imported already, at \d{4}-.*Z: 3 animals\. .* --again\n$/)
    expect(await stored()).toEqual(animals)
    expect(await runImport(place, file, '--again')).toMatchObject({ status: 0 })
    expect(await runImport(place, writeInput('animals.NDJSON', lines))).toMatchObject({ status: 0 })
    expect(await stored()).toEqual([...animals, ...animals, ...animals])
  },
)

test('standard input is imported like a file', async () => {
  const place = await createSqlitePlace()
  const program = `DATABASE_URL='${place.url}' ${process.execPath} server/pets/bulk/import.ts`
  const line = `${program} - --format ndjson < ${writeInput('animals', lines)}`
  const output = '3 animals of - are in.\n'
  expect(await runInShell(line)).toMatchObject({ status: 0, output, complaint: '' })
  expect(await allAnimals(await openAt(place))).toMatchObject(animals)
})

const many = 20_000

const stops = engines.map((engine, index) => ({
  ...engine,
  signal: index === 0 ? ('SIGINT' as const) : ('SIGKILL' as const),
}))

test.for(stops)(
  'an import that ended by $signal continues where it was and adds nothing twice, in $name',
  async ({ createPlace, signal }) => {
    const place = await createPlace()
    const store = await openAt(place)
    const names = manyNames(many)
    const file = writeTable(names)
    const first = startImport(place, file)
    await firstAnimalIn(store)
    const ended = await first.kill(signal)
    const kept = await allNames(store)
    expect(kept.length).toBeLessThan(many)
    expect(kept).toEqual(names.slice(0, kept.length))
    const complaint = 'Stopped. Run the same command again to continue.\n'
    const how = signal === 'SIGINT' ? { status: 1, output: '', complaint } : { signal }
    expect(ended).toMatchObject(how)

    const second = await runImport(place, file)
    expect(second).toMatchObject({ status: 0 })
    expect(second.output).toMatch(
      /^20,000 animals of .* are in\. It continued after record [\d,]+\.\n$/,
    )
    expect(await allNames(store)).toEqual(names)
  },
)

test.for(engines)('two imports of one file at once add it once in $name', async (engine) => {
  const place = await engine.createPlace()
  const names = manyNames(5_000)
  const file = writeTable(names)
  for (const ended of await Promise.all([runImport(place, file), runImport(place, file)])) {
    expect(ended).toMatchObject({ status: 0, complaint: '' })
  }
  expect(await allNames(await openAt(place))).toEqual(names)
})

test('a service on the same store accepts writes during an import', async () => {
  const place = await createSqlitePlace()
  const { send } = await startServiceProcess(place.file)
  const names = manyNames(many)
  const store = await openAt(place)
  const importing = startImport(place, writeTable(names))
  await firstAnimalIn(store)
  const statuses: number[] = []
  // Fewer than the key may send in a minute.
  for (let turn = 0; turn < 40; turn++) {
    const pet = { name: `between ${turn}`, categoryId: 1 }
    statuses.push((await send('/v1/pets', pet)).status)
  }
  const { status, output } = await importing.ended
  expect(status).toBe(0)
  expect(output).toMatch(/^20,000 animals of .* are in\.\n$/)
  expect(new Set(statuses)).toEqual(new Set([201]))
  const stored = await allNames(store)
  expect(stored.filter((name) => name.startsWith('animal'))).toEqual(names)
  expect(stored).toHaveLength(many + statuses.length)
})
