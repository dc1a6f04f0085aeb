import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { fixtureApi } from '../../fixture-api/fixture-api.ts'
import { createSqliteDatabase } from '../../helpers/databases/sqlite-database.ts'
import { openAt } from '../../helpers/databases/test-database.ts'
import { createTemporaryFolder } from '../../helpers/temporary-folder.ts'

/** Creates a file of 80 KB, to which `change` is applied, and beside it the log that a crash has left. */
async function createCrashed(file: string, change: (bytes: Buffer) => Buffer): Promise<void> {
  const db = await createSqliteDatabase()
  await openAt(db, fixtureApi)
  const notes = `WITH RECURSIVE s (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s WHERE n < 80)
    INSERT INTO tools (document) SELECT hex(zeroblob(500)) FROM s`
  for (const sql of [notes, 'PRAGMA wal_checkpoint(TRUNCATE)', notes]) {
    await db.execute(sql)
  }
  writeFileSync(file, change(readFileSync(db.file)))
  copyFileSync(`${db.file}-wal`, `${file}-wal`)
}

const restore = 'Restore a backup (docs/operations.md, "Backup and restore").'
const noDatabase =
  'The file FILE is not an SQLite database. Point DATABASE_URL at another file. ' +
  `If this one was the store, it is damaged. ${restore}`
const isDamaged = `The database FILE is damaged (REASON) and was left as it is. ${restore}`

/** What is at the path of a database, how it got there, and the message with which it is rejected. */
const rejected = [
  [
    "another program's database with the log of its crash",
    (file: string) => {
      const theirs = new DatabaseSync(`${file}.theirs`)
      theirs.exec('PRAGMA journal_mode = WAL; CREATE TABLE notes (text TEXT)')
      for (const ending of ['', '-wal']) {
        copyFileSync(`${file}.theirs${ending}`, file + ending)
      }
      theirs.close()
    },
    'The database FILE belongs to another program. Point DATABASE_URL at another file.',
  ],
  ['a short text', (file: string) => writeFileSync(file, 'x'), noDatabase],
  ['a long text', (file: string) => writeFileSync(file, 'hello '.repeat(2_000)), noDatabase],
  [
    'a folder',
    (file: string) => mkdirSync(file),
    'The database FILE is not a file. Point DATABASE_URL at another file.',
  ],
  [
    'our database with a page overwritten',
    (file: string) => createCrashed(file, (bytes) => bytes.fill(0xaa, 40_960, 45_056)),
    isDamaged,
  ],
  [
    'half of our database',
    (file: string) => createCrashed(file, (bytes) => bytes.subarray(0, bytes.length / 2)),
    isDamaged,
  ],
] as const

/** Returns every file of a folder with its bytes. */
function readFiles(folder: string): Record<string, string> {
  const paths = readdirSync(folder).map((name) => join(folder, name))
  const files = paths.filter((path) => statSync(path).isFile())
  return Object.fromEntries(files.map((path) => [path, readFileSync(path, 'hex')]))
}

test.for(rejected)(
  'in place of a database file, %s is rejected and left as it is',
  async ([, create, expected]) => {
    const folder = createTemporaryFolder()
    const file = join(folder, 'store.sqlite')
    await create(file)
    const before = readFiles(folder)
    const opened = await openAt({ url: `sqlite:${file}` }, fixtureApi).catch((error) => error)
    const message = opened.message.replaceAll(file, 'FILE').replace(/\(.+\) and/, '(REASON) and')
    expect([opened.name, message]).toEqual(['StoreError', expected])
    const after = readFiles(folder)
    expect(after).toMatchObject(before)
    // Nothing was put beside it; a check of our own database leaves a file of SQLite.
    if (expected !== isDamaged) {
      expect(after).toEqual(before)
    }
  },
)
