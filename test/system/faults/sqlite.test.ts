import { execFileSync } from 'node:child_process'
import { closeSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { createSqliteDatabase } from '../../helpers/databases/sqlite-database.ts'
import { startTestService } from '../../helpers/service.ts'
import { createTemporaryFolder } from '../../helpers/temporary-folder.ts'

/** Something that happens to a database file under a running service. */
interface Fault {
  readonly name: string
  readonly logged: RegExp
  /** Makes the folder of the store, where it is not any one; undefined where that is not possible. */
  readonly createFolder?: () => string | undefined
  /** Begins it; returns what ends it. */
  readonly begin: (file: string) => () => void
}

const faults: readonly Fault[] = [
  {
    name: 'a full disk',
    logged: /the disk is full\. Free disk space/,
    createFolder: mountSmallDisk,
    begin: fillDisk,
  },
  {
    name: 'the lock of another process',
    logged: /another process holds its lock/,
    begin(file) {
      const other = new DatabaseSync(file, { timeout: 60_000 })
      other.exec('BEGIN EXCLUSIVE')
      return () => other.close()
    },
  },
  {
    name: 'another file in its place',
    logged: /was moved or deleted\. Put it back/,
    begin(file) {
      renameSync(file, `${file}.away`)
      new DatabaseSync(file).close()
      return () => renameSync(`${file}.away`, file)
    },
  },
]

function runAsRoot(command: string, ...args: readonly string[]): boolean {
  const line = process.getuid?.() === 0 ? [command, ...args] : ['sudo', '-n', command, ...args]
  try {
    execFileSync(line[0] ?? '', line.slice(1), { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** A disk of 4 MB in memory. */
function mountSmallDisk(): string | undefined {
  const folder = createTemporaryFolder()
  const options = `size=4m,mode=700,uid=${process.getuid?.() ?? 0}`
  if (!runAsRoot('mount', '-t', 'tmpfs', '-o', options, 'animal-store-test', folder)) return
  onTestFinished(() => void runAsRoot('umount', '--lazy', folder))
  return folder
}

/** Fills the disk of a file to the last byte. */
function fillDisk(file: string): () => void {
  const ballast = join(file, '../ballast')
  const descriptor = openSync(ballast, 'w')
  for (let size = 2 ** 20; size > 0; size >>= 1) {
    try {
      for (;;) writeSync(descriptor, Buffer.alloc(size))
    } catch {
      // As much did not fit; half of it may.
    }
  }
  closeSync(descriptor)
  return () => rmSync(ballast)
}

test.for(faults)(
  'SQLite fault: $name rejects writes alone with 503, is logged once, and recovers',
  async ({ createFolder = createTemporaryFolder, begin, logged }, { skip }) => {
    const folder = createFolder() ?? skip('this user cannot mount a disk')
    const db = await createSqliteDatabase(folder)
    const service = await startTestService({ RATE_LIMITS: 'off' }, db)
    const statusOf = async (path: string) => (await service.send(path)).status
    const add = () => service.send('/v1/pets', { json: { name: 'Rex', categoryId: 7 } })
    const messages = (part: string) =>
      service.logged.map(({ msg }) => String(msg)).filter((message) => message.includes(part))
    expect((await add()).status).toBe(201)

    const end = begin(db.file)
    // A log that has grown before takes some more on a full disk.
    let kept = 1
    for (; (await add()).status === 201; kept++) expect(kept).toBeLessThan(1_000)
    const tries = [1, 2, 3, 4, 5].map(add)
    for (const path of ['/livez', '/v1/pets', '/v1/pets/1']) {
      expect(await statusOf(path), path).toBe(200)
    }
    expect(await statusOf('/readyz')).toBe(503)
    for (const response of await Promise.all(tries)) {
      expect(response.status).toBe(503)
      expect(response.headers.get('Retry-After')).toBe('1')
      expect(await response.json()).toMatchObject({ code: 'unavailable', status: 503 })
    }
    const errors = () => messages('store unavailable')
    await expect.poll(errors).toEqual([expect.stringMatching(logged)])

    end()
    expect(await statusOf('/readyz')).toBe(200)
    expect((await add()).status).toBe(201)
    expect(errors()).toHaveLength(1)
    expect(await db.execute('PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }])
    const counted = await db.execute('SELECT count(*) AS count, max(id) AS last FROM animals')
    expect(counted).toEqual([{ count: kept + 1, last: kept + 1 }])
  },
)
