import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { reportOf } from '../pipeline/failure.ts'
import { projectPath } from '../pipeline/project.ts'

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

/** Runs a program of node_modules in the project's folder; returns what it prints if it fails. */
export async function runProgram(
  program: string,
  args: readonly string[],
  signal?: AbortSignal,
): Promise<string[]> {
  const child = spawn(process.execPath, [projectPath('node_modules', program), ...args], {
    cwd: projectPath(),
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(signal && { signal }),
  })
  child.once('error', () => undefined)
  const exited = new Promise<number | null>((resolve) => child.once('close', resolve))
  const [output, complaint] = await Promise.all([text(child.stdout), text(child.stderr)])
  if ((await exited) === 0) return []
  const lines = `${output}${complaint}`.split('\n').filter((line) => line.trim() !== '')
  return lines.length === 0 ? [`${program} failed without a message`] : lines
}
