import { closeSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { backup, DatabaseSync } from 'node:sqlite'
import { besides, findDamage, ownerOnly } from './database-file.ts'
import { isDamage } from './errors.ts'

/** Pages that are copied at a time: two megabytes. */
const pagesAtATime = 512
/** Milliseconds that a copy waits for a lock of others, which last for moments. */
const busyTimeout = 5_000

/** Told how many pages of a database are copied, of how many; what it throws ends the copy. */
export type TellCopied = (done: number, all: number) => void

/** A copy that nobody can use. */
export class CopyDamaged extends Error {}

/** A copy of a database, as it was at one moment, that needs no file beside it. */
export interface WholeCopy {
  /** Puts it in a place, so that a loss of power afterwards finds it there, whole. */
  readonly putAt: (target: string) => void
  /** Leaves nothing of it behind, unless it is in its place. */
  readonly drop: () => void
}

/** Copies a database, in service or not, to beside a place; rejects when the copy is damaged. */
export async function copyWhole(file: string, place: string, tell: TellCopied): Promise<WholeCopy> {
  const partial = `${place}.${process.pid}.partial`
  // Whoever may read it may read all that is in it.
  closeSync(openSync(partial, 'wx', ownerOnly))
  const drop = (): void => {
    for (const ending of ['', '-journal', ...besides]) rmSync(partial + ending, { force: true })
  }
  try {
    await copy(file, partial, tell)
    finish(partial)
    sync(partial)
  } catch (error) {
    drop()
    throw isDamage(error) && error instanceof Error ? new CopyDamaged(error.message) : error
  }
  return { putAt: (target) => put(partial, target), drop }
}

async function copy(file: string, partial: string, tell: TellCopied): Promise<void> {
  const source = new DatabaseSync(file, { timeout: busyTimeout })
  try {
    // One snapshot for all of the copy: without it, each commit of others would begin it anew.
    source.exec('BEGIN; SELECT count(*) FROM sqlite_schema')
    await backup(source, partial, {
      rate: pagesAtATime,
      progress: ({ totalPages, remainingPages }) => tell(totalPages - remainingPages, totalPages),
    })
  } finally {
    source.close()
  }
}

function finish(partial: string): void {
  const written = new DatabaseSync(partial)
  try {
    const damage = findDamage(written)
    if (damage !== undefined) throw new CopyDamaged(damage)
    // Its header says from now on that no log belongs to it.
    written.exec('PRAGMA journal_mode = DELETE')
  } finally {
    written.close()
  }
}

function put(partial: string, target: string): void {
  renameSync(partial, target)
  sync(dirname(target))
}

function sync(name: string): void {
  const descriptor = openSync(name, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
