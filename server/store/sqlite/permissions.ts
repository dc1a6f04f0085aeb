import { chmodSync, existsSync, realpathSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { reasonOf } from '../../reason.ts'
import { besides } from './place-check.ts'

/** Lets the owner of a database, and no other user, read and write its files. */
export const ownerOnly = 0o600
const groupAndOthers = 0o077
const readByGroupOrOthers = 0o044

/**
 * Changes the permissions of a database, and of what SQLite keeps beside it, to 0600 where other
 * users have any. Returns what was changed in one line; undefined if nothing was.
 */
export function restrictFiles(name: string): string | undefined {
  // SQLite keeps its log beside the file that a symbolic link leads to.
  const file = realpathSync(name)
  const open = ['', '-journal', ...besides].map((ending) => file + ending).filter(isOpenToOthers)
  if (open.length === 0) return undefined
  const who = `Other users could read or write ${open.join(', ')}.`
  try {
    for (const one of open) chmodSync(one, ownerOnly)
    return `${who} Permissions changed to 0600.`
  } catch (error) {
    return `${who} Permissions cannot be changed to 0600: ${reasonOf(error)}. Change them as the owner.`
  }
}

/** Returns a warning if other users can read the folder of a database. */
export function warnOfFolder(name: string): string | undefined {
  const folder = dirname(realpathSync(name))
  const { mode } = statSync(folder)
  if ((mode & readByGroupOrOthers) === 0) return undefined
  const permissions = (mode & 0o777).toString(8).padStart(4, '0')
  return `Other users can read the folder ${folder} of the store (permissions ${permissions}). If only the service uses it: chmod 700 ${folder}`
}

function isOpenToOthers(file: string): boolean {
  return existsSync(file) && (statSync(file).mode & groupAndOthers) !== 0
}
