import { DatabaseSync } from 'node:sqlite'
import { setTimeout as wait } from 'node:timers/promises'
import type { Answers } from './answers.ts'

/** Keeps everybody else from writing to a database for a while. */
export async function lockFor(file: string, milliseconds: number, answers: Answers): Promise<void> {
  await wait(500)
  const database = new DatabaseSync(file, { timeout: 5_000 })
  try {
    answers.outage(true)
    database.exec('BEGIN IMMEDIATE')
    await wait(milliseconds)
    database.exec('COMMIT')
    // What was refused meanwhile is answered, and what it says heals in its own time.
    await wait(milliseconds)
  } finally {
    database.close()
    answers.outage(false)
  }
}
