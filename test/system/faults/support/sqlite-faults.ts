import { execFileSync } from 'node:child_process'
import { closeSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { onTestFinished } from 'vitest'
import { createTemporaryFolder } from '../../../helpers/temporary-folder.ts'

/** Something that happens to a database file under a running service. */
export interface Fault {
  readonly name: string
  readonly logged: RegExp
  /** Makes the folder of the store, where it is not any one; undefined where that is not possible. */
  readonly createFolder?: () => string | undefined
  /** Begins it; returns what ends it. */
  readonly begin: (file: string) => () => void
}

export const faults: readonly Fault[] = [
  {
    name: 'a full disk',
    logged: /the disk is full\. Make room/,
    createFolder: mountSmallDisk,
    begin: fillDisk,
  },
  {
    name: 'the lock of another process',
    logged: /another process holds its lock/,
    begin(file) {
      const other = new DatabaseSync(file)
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
