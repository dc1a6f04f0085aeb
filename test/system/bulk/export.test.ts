import { existsSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import description from '../../../generated/openapi.json' with { type: 'json' }
import { engines } from '../../helpers/places/engines.ts'
import { openAt } from '../../helpers/places/place.ts'
import { createSqlitePlace } from '../../helpers/places/sqlite-place.ts'
import { runInShell } from '../../helpers/program.ts'
import { createTemporaryFolder } from '../../helpers/temporary-folder.ts'
import {
  allAnimals,
  manyNames,
  readText,
  runExport,
  runImport,
  writeInput,
  writeTable,
} from './files.ts'

const awkward = [
  'a, b',
  '"',
  '""',
  'a "quoted" name',
  'two\nlines',
  'two\r\nlines',
  '\n',
  ',',
  ' ',
  ' both ',
  '\t',
  '=1+1',
  '+1',
  '-1',
  '@SUM(A1)',
  'null',
  '007',
  '\\',
  "'",
  '🦊👩‍👩‍👧',
  'e\u0301',
  '\u2028',
  '\uFEFFmark',
  '\u0001',
  '\u007f',
  'x'.repeat(description.components.schemas.PetFields.properties.name.maxLength),
]

const ways = engines.flatMap(({ name, createPlace }) =>
  ['csv', 'ndjson'].map((format) => ({ name, createPlace, format })),
)

test.for(ways)(
  'export from $name as $format and import give the same animals, byte for byte',
  async ({ createPlace, format }) => {
    const place = await createPlace()
    const store = await openAt(place)
    for (const [index, name] of awkward.entries()) {
      const status = (['available', 'pending', 'sold', undefined] as const)[index % 4]
      await store.animals.add({ name, categoryId: index - 3, ...(status && { status }) })
    }
    const animals = await allAnimals(store)
    expect(animals.map(({ name }) => name)).toEqual(awkward)
    const { status, output, complaint } = await runExport(place, '--format', format)
    expect({ status, complaint }).toEqual({ status: 0, complaint: '' })
    const file = writeInput(`animals.${format}`, output)
    const other = await createSqlitePlace()
    expect(await runImport(other, file)).toMatchObject({ status: 1 })
    expect(await runImport(other, file, '--new-ids')).toMatchObject({ status: 0 })
    expect(await allAnimals(await openAt(other))).toEqual(animals)
  },
)

test.for(engines)(
  'export of one status from $name, to a file and to standard output',
  async (engine) => {
    const place = await engine.createPlace()
    const store = await openAt(place)
    await runImport(place, writeTable(manyNames(2_500)))
    for (const name of ['Rex', 'Mia'])
      await store.animals.add({ name, categoryId: 1, status: 'sold' })
    const file = join(createTemporaryFolder(), 'sold.csv')
    const ended = await runExport(place, '--status', 'sold', '--out', file)
    expect(ended).toMatchObject({ status: 0, output: `2 animals are in ${file}.\n`, complaint: '' })
    expect(readText(file)).toBe(
      'id,name,categoryId,status\r\n2501,Rex,1,sold\r\n2502,Mia,1,sold\r\n',
    )
    expect(readdirSync(dirname(file))).toEqual(['sold.csv'])
    const all = await runExport(place)
    expect(
      all.output
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual(await allAnimals(store))
  },
)

test('export ends with status 0 and no message when the reader closes the pipe', async () => {
  const place = await createSqlitePlace()
  await runImport(place, writeTable(manyNames(20_000)))
  const program = `DATABASE_URL='${place.url}' ${process.execPath} server/commands/export.ts`
  const ended = await runInShell(`{ ${program}; echo "status $?" >&2; } | head -n 1`)
  expect(ended).toMatchObject({
    output: '{"id":1,"name":"animal 0","categoryId":7}\n',
    complaint: 'status 0\n',
  })
})

test('export to a full disk is one line with status 1', async () => {
  const place = await createSqlitePlace()
  await runImport(place, writeTable(manyNames(5_000)))
  for (const status of ['available', undefined]) {
    const only = status === undefined ? [] : ['--status', status]
    const args = [...only, '--format', 'csv']
    const ended = await runExport(place, ...args, '--out', '/dev/full')
    expect(ended).toMatchObject({ status: 1, output: '' })
    expect(ended.complaint).toMatch(/^Cannot write \/dev\/full: .*\bno space left\b.*\n$/)
    const program = `DATABASE_URL='${place.url}' ${process.execPath} server/commands/export.ts`
    const piped = await runInShell(`${program} ${args.join(' ')} > /dev/full`)
    expect(piped).toMatchObject({ status: 1 })
    expect(piped.complaint).toMatch(/^Cannot write to standard output: .*\n$/)
  }
})

test('an export to a folder that does not exist is one line with status 1', async () => {
  const ended = await runExport(await createSqlitePlace(), '--out', '/nowhere/animals.csv')
  expect(ended).toMatchObject({ status: 1, output: '' })
  expect(ended.complaint).toMatch(/^Cannot write \/nowhere\/animals\.csv: .*\n$/)
  expect(existsSync('/nowhere')).toBe(false)
})
