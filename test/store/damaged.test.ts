import { copyFileSync, existsSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { openStore } from '../../server/store/open-store.ts'
import { startProgram } from '../support/program.ts'
import { createRandom } from '../support/random.ts'
import { createTemporaryFolder } from '../support/temporary-folder.ts'

const advice = 'Restore a backup (README.md, "Backup and restore").'
const page = 4096
/** A leaf of the animals. */
const middle = 21 * page

/** A store of some pages, as a crash has left it or as a stop in order does. */
async function createFile(crashed: boolean): Promise<string> {
  const file = join(createTemporaryFolder(), 'store.sqlite')
  const store = await openStore(`sqlite:${file}`)
  for (let number = 0; number < 40; number++) {
    await store.animals.add({ name: `${number} `.padEnd(1_000, 'x'), categoryId: 1 })
  }
  const connection = new DatabaseSync(file)
  connection.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  connection.close()
  await store.animals.add({ name: 'the last', categoryId: 1 })
  const copy = join(createTemporaryFolder(), 'store.sqlite')
  if (crashed) copyFileSync(`${file}-wal`, `${copy}-wal`)
  else await store.close()
  copyFileSync(file, copy)
  if (crashed) await store.close()
  return copy
}

function overwrite(file: string, from: number, length: number): void {
  const random = createRandom(from + length)
  const bytes = readFileSync(file)
  for (let at = from; at < from + length; at++) bytes[at] = Math.floor(random() * 256)
  writeFileSync(file, bytes)
}

const damages: Readonly<Record<string, (file: string) => void>> = {
  'random bytes over its header': (file) => overwrite(file, 0, 100),
  'random bytes in its header': (file) => overwrite(file, 16, 50),
  'random bytes over its first page': (file) => overwrite(file, 100, page - 100),
  'random bytes over a page in the middle': (file) => overwrite(file, middle, page),
  'random bytes over its last page': (file) =>
    overwrite(file, readFileSync(file).length - page, page),
  'half of it gone': (file) => truncateSync(file, readFileSync(file).length / 2),
  'its last page gone': (file) => truncateSync(file, readFileSync(file).length - page),
  'all but a few bytes gone': (file) => truncateSync(file, 50),
}

// The log that a crash leaves has the last page once more.
const mended = /last page/

const cases = Object.entries(damages).flatMap(([name, damage]) =>
  [false, ...(mended.test(name) ? [] : [true])].map((crashed) => ({
    name,
    damage,
    crashed,
    after: crashed ? 'crash' : 'stop',
  })),
)

test.for(cases)('a store with $name after a $after is refused and left as it is', async (given) => {
  const file = await createFile(given.crashed)
  given.damage(file)
  const names = [file, `${file}-wal`].filter((name) => existsSync(name))
  const before = names.map((name) => readFileSync(name))
  const refused = await openStore(`sqlite:${file}`).catch((error: unknown) => error)
  expect(refused).toHaveProperty('name', 'StoreRefused')
  expect(refused).toHaveProperty('message', expect.stringContaining(file))
  expect(refused).toHaveProperty('message', expect.stringContaining(advice))
  expect(names.map((name) => readFileSync(name).equals(before.shift() ?? Buffer.of()))).toEqual(
    names.map(() => true),
  )
})

test('a damaged store ends the start with one line that says what to do', async () => {
  const file = await createFile(false)
  overwrite(file, middle, page)
  const env = { PORT: '0', DATABASE_URL: `sqlite:${file}` }
  const { status, output, complaint } = await startProgram('server/main.ts', [], { env }).ended
  expect({ status, output }).toEqual({ status: 1, output: '' })
  expect(complaint).toMatch(
    /^The database \S+ is damaged \([^\n]+\) and was left as it is\. [^\n]+\n$/,
  )
  expect(complaint).toContain(advice)
})

test('a store that is damaged beneath a service answers what it can, and 503 to the rest', async () => {
  const file = await createFile(false)
  const store = await openStore(`sqlite:${file}`)
  onTestFinished(() => store.close())
  overwrite(file, middle, page)
  expect(await store.animals.find(1)).toMatchObject({ id: 1 })
  const reading = store.animals.page({ after: 0, limit: 100, status: undefined })
  const refused = await reading.catch((error: unknown) => error)
  expect(refused).toHaveProperty('name', 'StoreUnavailable')
  expect(refused).toHaveProperty('message', expect.stringContaining(advice))
})
