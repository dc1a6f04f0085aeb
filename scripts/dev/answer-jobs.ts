import type { Outcome } from './worker.ts'

/** Does the jobs that the parent process sends, in their order; ends when the parent is gone. */
export function answerJobs<Job, Result>(work: (job: Job) => Promise<Result>): void {
  let last: Promise<unknown> = Promise.resolve()
  process.on('message', (job: Job) => {
    last = last.then(async () => tell(await toOutcome(work(job))))
  })
  endWithParent()
}

/** Ends this process when its parent does, however that ends. */
export function endWithParent(): void {
  process.once('disconnect', () => process.exit())
  // Ctrl-C reaches every process of a terminal; the parent says what is to be done.
  process.on('SIGINT', () => undefined)
}

function tell<Result>(outcome: Outcome<Result>): void {
  // Whoever asked may be gone by now.
  if (process.connected) process.send?.(outcome, undefined, {}, () => undefined)
}

async function toOutcome<Result>(working: Promise<Result>): Promise<Outcome<Result>> {
  try {
    return { result: await working }
  } catch (error) {
    return { error: error instanceof Error ? String(error.stack) : String(error) }
  }
}
