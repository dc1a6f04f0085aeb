import { expect, test } from 'vitest'
import { engines } from '../support/places/engines.ts'
import { openAt } from '../support/places/place.ts'
import { createSqlitePlace } from '../support/places/sqlite-place.ts'
import { startServiceProcess } from '../support/service-process.ts'
import { runImport, startImport } from './commands.ts'
import { allNames, firstAnimalIn, manyNames, writeTable } from './files.ts'

const many = 20_000

test.for(engines)(
  'an import that is killed goes on where it was, and doubles nothing, in $name',
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

test('an import that is told to end says how far it is, and how to go on', async () => {
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

test('a service on the same store serves and adds while a file is imported', async () => {
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
  const answers: number[] = []
  const post = async (name: string): Promise<void> => {
    const body = JSON.stringify({ name, categoryId: 1 })
    answers.push((await fetch(`${origin}/v1/pets`, { method: 'POST', headers, body })).status)
  }
  // Fewer than the key may send in a minute.
  for (let turn = 0; turn < 40; turn++) await post(`between ${turn}`)
  expect(await importing).toMatchObject({ status: 0 })
  expect(new Set(answers)).toEqual(new Set([201]))
  const stored = await allNames(store)
  expect(stored.filter((name) => name.startsWith('animal'))).toEqual(names)
  expect(stored).toHaveLength(many + answers.length)
})
