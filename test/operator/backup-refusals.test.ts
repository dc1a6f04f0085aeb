import { readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { backUp } from '../../server/store/sqlite/back-up.ts'
import { restore } from '../../server/store/sqlite/restore.ts'
import { openAt } from '../support/places/place.ts'
import { createSqlitePlace } from '../support/places/sqlite-place.ts'
import { startProgram } from '../support/program.ts'
import { createTemporaryFolder } from '../support/temporary-folder.ts'

const silent = (): void => undefined

/** A store of some pages, which nobody has open. */
async function createFile(): Promise<string> {
  const place = await createSqlitePlace()
  const store = await openAt(place)
  await store.close()
  // More than is copied at a time.
  const filler = new DatabaseSync(place.file)
  filler.exec(`WITH RECURSIVE s (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s WHERE n < 4000)
    INSERT INTO animals (name, category_id) SELECT hex(zeroblob(500)), n FROM s`)
  filler.close()
  return place.file
}

function damage(file: string): void {
  const bytes = readFileSync(file)
  bytes.fill(0xaa, bytes.length / 2, bytes.length / 2 + 8_192)
  writeFileSync(file, bytes)
}

test('a backup replaces nothing unless it is told to, and never the store', async () => {
  const file = await createFile()
  const target = join(createTemporaryFolder(), 'notes.txt')
  writeFileSync(target, 'Feed the cat.')
  await expect(backUp(file, target, false, silent)).rejects.toThrow(
    `${target} is there already. Name another file, or add --replace.`,
  )
  expect(readFileSync(target, 'utf8')).toBe('Feed the cat.')
  expect(await backUp(file, target, true, silent)).toBeGreaterThan(4_000_000)
  const link = join(dirname(target), 'link')
  symlinkSync(file, link)
  for (const itself of [file, link]) {
    const refused = `${itself} is the database itself. Name another file.`
    await expect(backUp(file, itself, true, silent)).rejects.toThrow(refused)
  }
  await expect(backUp(file, dirname(target), true, silent)).rejects.toThrow('is not a file.')
  expect(readdirSync(dirname(target)).sort()).toEqual(['link', 'notes.txt'])
})

test('a backup that is broken off, or of a damaged store, leaves nothing', async () => {
  const file = await createFile()
  const target = join(createTemporaryFolder(), 'copy.sqlite')
  const stop = (): never => {
    throw new Error('stopped')
  }
  await expect(backUp(file, target, false, stop)).rejects.toThrow('stopped')
  damage(file)
  await expect(backUp(file, target, false, silent)).rejects.toThrow(
    /^The database \S+ is damaged \(.*\) and was left as it is\. Restore a backup \(README\.md/,
  )
  expect(readdirSync(dirname(target))).toEqual([])
})

test('nothing is restored from what is no backup, and nothing over what is not ours', async () => {
  const file = await createFile()
  const before = readFileSync(file)
  const folder = createTemporaryFolder()
  const notes = join(folder, 'notes.txt')
  writeFileSync(notes, 'Feed the cat.'.repeat(100))
  await expect(restore(notes, file, silent)).rejects.toThrow(`${notes} is not a backup of a store.`)
  const broken = await createFile()
  damage(broken)
  await expect(restore(broken, file, silent)).rejects.toThrow(
    /^The backup \S+ is damaged \(.*\)\. Take another one\.$/,
  )
  expect(readFileSync(file).equals(before)).toBe(true)
  const theirs = join(folder, 'theirs.sqlite')
  const other = new DatabaseSync(theirs)
  other.exec('CREATE TABLE notes (text TEXT)')
  other.close()
  await expect(restore(file, theirs, silent)).rejects.toThrow('belongs to another program.')
  expect(readdirSync(folder).sort()).toEqual(['notes.txt', 'theirs.sqlite'])
  expect(readdirSync(dirname(file))).toEqual(['store.sqlite'])
})

test('a damaged store gives way to its backup, and is put aside', async () => {
  const file = await createFile()
  const backup = join(createTemporaryFolder(), 'copy.sqlite')
  await backUp(file, backup, false, silent)
  damage(file)
  const damaged = readFileSync(file)
  const aside = await restore(backup, file, silent)
  const afterHeader = (bytes: Buffer): Buffer => bytes.subarray(100)
  expect(afterHeader(readFileSync(aside ?? '')).equals(afterHeader(damaged))).toBe(true)
  const store = await openAt({ url: `sqlite:${file}` })
  expect(await store.animals.lastId()).toBe(4_000)
})

const server = 'postgres://keeper:s3cret@db.example/animals'
const wrong = [
  ['backup', 2, 'sqlite:a', [], 'Name one file to write: npm run backup -- FILE'],
  ['restore', 2, 'sqlite:a', ['a', 'b'], 'Name one backup: npm run restore -- FILE'],
  ['backup', 1, 'sqlite:/nowhere/a', ['b'], 'There is no database /nowhere/a.'],
  ['restore', 1, 'sqlite:a', ['/nowhere/b'], 'There is no backup /nowhere/b.'],
  [
    'backup',
    1,
    server,
    ['b'],
    'PostgreSQL has a tool for that: pg_dump --format=custom --file=FILE "$DATABASE_URL"',
  ],
] as const

test.for(wrong)('%s that cannot be is status %i and one line', async ([name, ...given]) => {
  const [status, url, args, line] = given
  const env = { DATABASE_URL: url }
  const ended = await startProgram(`server/commands/${name}.ts`, args, { env }).ended
  expect(ended).toMatchObject({ status, output: '', complaint: `${line}\n` })
})
