import { PlainError, reasonOf } from '../plain-error.ts'
import type { OnCopied } from '../store/sqlite/backup.ts'
import { abortOnSignals, CommandError } from './command.ts'
import { formatCount, Progress } from './progress.ts'

/** Runs a copy of a database file, shows its progress, and stops it on a signal. */
export async function copyWithProgress<Result>(
  from: string,
  to: string,
  copy: (onCopied: OnCopied) => Promise<Result>,
): Promise<Result> {
  const signal = abortOnSignals(`Stopped. ${to} is as it was.`)
  const progress = new Progress()
  try {
    return await copy((done, all) => {
      signal.throwIfAborted()
      progress.report(done, all, () => `copied ${formatCount(done)} of ${formatCount(all)} pages`)
    })
  } catch (error) {
    if (error instanceof PlainError) throw error
    throw new CommandError(`Cannot copy ${from} to ${to}: ${reasonOf(error)}.`, { cause: error })
  } finally {
    progress.end()
  }
}
