import { createProgress, toWords } from '../bulk/progress.ts'
import { stopOnSignals } from '../ops/signals.ts'
import { PlainError } from '../plain-error.ts'
import { reasonOf } from '../reason.ts'
import type { TellCopied } from '../store/sqlite/whole-copy.ts'
import { CommandRefused } from './command-refused.ts'

/** Copies a file where people see how far it is, and can stop it; what went wrong is one line. */
export async function showCopying<Result>(
  from: string,
  to: string,
  copy: (tell: TellCopied) => Promise<Result>,
): Promise<Result> {
  let stopped: CommandRefused | undefined
  stopOnSignals(async () => {
    stopped = new CommandRefused(`Stopped. ${to} is as it was.`)
  })
  const progress = createProgress(process.stderr)
  try {
    return await copy((done, all) => {
      if (stopped !== undefined) throw stopped
      progress.tell(done, all, () => `copied ${toWords(done)} of ${toWords(all)} pages`)
    })
  } catch (error) {
    if (error instanceof PlainError) throw error
    throw new CommandRefused(`Cannot copy ${from} to ${to}: ${reasonOf(error)}.`, { cause: error })
  } finally {
    progress.end()
  }
}
