import { reportOf } from '../pipeline/failure.ts'

/** One thing that `npm run check` checks. */
export interface Step {
  readonly name: string
  /** Returns the lines of each error; gives `note` what is no error. */
  readonly run: (note?: (line: string) => void) => Promise<readonly string[]>
}

/** Runs a step and prints its result; returns whether it found no errors. */
export async function runStep({ name, run }: Step): Promise<boolean> {
  const start = performance.now()
  const notes: string[] = []
  const errors = await run((line) => notes.push(line)).catch(reportOf)
  const seconds = ((performance.now() - start) / 1000).toFixed(1)
  console.log(`${errors.length === 0 ? 'ok    ' : 'FAILED'} ${name} (${seconds} s)`)
  for (const text of [...errors, ...notes]) console.log(text.replaceAll(/^/gm, '  '))
  return errors.length === 0
}
