import { existsSync, statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { StoreRefused } from '../store-refused.ts'
import { howToRestore, isDamage } from './faults.ts'

/** Bytes of a database that are looked through at a start, which takes two seconds. */
const mostAtStart = 2 ** 30

/** What the structure of a database breaks, in the words of SQLite; nothing where it is whole. */
export function findDamage(connection: DatabaseSync): string | undefined {
  try {
    const found = connection.prepare('PRAGMA quick_check(1)').get()?.['quick_check']
    return found === 'ok' ? undefined : String(found).replaceAll(/\s+/g, ' ')
  } catch (error) {
    if (isDamage(error) && error instanceof Error) return error.message
    throw error
  }
}

/**
 * Refuses a database file that is damaged, as it is: nothing is written, neither to the file nor to
 * the log that a crash has left.
 */
export function refuseDamaged(file: string, busyTimeout: number): void {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0
  if (size === 0 || size > mostAtStart) return
  // A first start that was cut off: what it did is to be undone before anything can be read.
  if (existsSync(`${file}-journal`)) return
  const connection = new DatabaseSync(file, { readOnly: true, timeout: busyTimeout })
  try {
    const damage = findDamage(connection)
    if (damage !== undefined) throw damaged(file, damage)
  } finally {
    connection.close()
  }
}

/** Tells of a database that is damaged. */
export function damaged(file: string, damage: string): StoreRefused {
  return new StoreRefused(
    `The database ${file} is damaged (${damage}) and was left as it is. ${howToRestore}`,
  )
}
