import { execFileSync } from 'node:child_process'
import { renameSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'

interface Broken {
  readonly file: string
  /** The connection of the service itself. */
  readonly connection: DatabaseSync
}

/** Something that happens to a database beneath a running service. */
interface Fault {
  readonly name: string
  readonly told: RegExp
  /** Begins it; gives what ends it. */
  readonly begin: (broken: Broken) => () => void
}

/** Lets nobody write to files, root included; where the file system cannot, SQLite is told so. */
function seal({ file, connection }: Broken): () => void {
  // Not the -shm: that is mapped, and a store to a mapped page that is sealed ends a process.
  const files = [file, `${file}-wal`]
  try {
    execFileSync('chattr', ['+i', ...files], { stdio: 'ignore' })
    return () => void execFileSync('chattr', ['-i', ...files])
  } catch {
    connection.exec('PRAGMA query_only = ON')
    return () => connection.exec('PRAGMA query_only = OFF')
  }
}

export const disk = 'a full disk'
export const faults: readonly Fault[] = [
  {
    name: disk,
    told: /the disk is full\. Make room/,
    begin({ connection }) {
      // Where no disk can be mounted: the file may not grow.
      const limit = (pages: number) => connection.exec(`PRAGMA max_page_count = ${pages}`)
      limit(1)
      return () => limit(1_000_000)
    },
  },
  {
    name: 'lost permissions, or a file system that was mounted read-only',
    told: /the disk failed\. Look at|it is read-only\. Let/,
    begin: seal,
  },
  {
    name: 'the lock of another process',
    told: /another process holds its lock/,
    begin({ file }) {
      const other = new DatabaseSync(file)
      other.exec('BEGIN EXCLUSIVE')
      return () => other.close()
    },
  },
  {
    name: 'a file that was moved away',
    told: /was moved or deleted\. Put it back/,
    begin({ file }) {
      renameSync(file, `${file}.away`)
      return () => renameSync(`${file}.away`, file)
    },
  },
  {
    name: 'another file in its place',
    told: /was moved or deleted\. Put it back/,
    begin({ file }) {
      renameSync(file, `${file}.away`)
      new DatabaseSync(file).close()
      return () => renameSync(`${file}.away`, file)
    },
  },
]
