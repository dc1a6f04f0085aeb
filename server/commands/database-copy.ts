import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { PlainError, reasonOf } from '../plain-error.ts'
import type { OnCopied } from '../store/sqlite/backup.ts'
import { abortOnSignals, CommandError, databaseUrl } from './command.ts'
import { formatCount, Progress } from './progress.ts'

/** Returns the SQLite file that `DATABASE_URL` names; for PostgreSQL, throws the advice. */
export function databaseFile(adviceForPostgres: string): string {
  const [, name] = /^sqlite:(.*)$/s.exec(databaseUrl()) ?? []
  if (name === undefined) throw new CommandError(adviceForPostgres)
  return resolve(name)
}

/** Runs a copy of a database file, shows its progress, and stops it on a signal. */
export async function copyWithProgress<Result>(
  what: string,
  from: string,
  to: string,
  copy: (onCopied: OnCopied) => Promise<Result>,
): Promise<Result> {
  if (!existsSync(from)) throw new CommandError(`There is no ${what} ${from}.`)
  const signal = abortOnSignals(`Stopped. ${to} is as it was.`)
  using progress = new Progress()
  try {
    return await copy((done, all) => {
      signal.throwIfAborted()
      progress.report(done, all, () => `copied ${formatCount(done)} of ${formatCount(all)} pages`)
    })
  } catch (error) {
    if (error instanceof PlainError) throw error
    throw new CommandError(`Cannot copy ${from} to ${to}: ${reasonOf(error)}.`, { cause: error })
  }
}
