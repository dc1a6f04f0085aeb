import { spawn } from 'node:child_process'
import { performance } from 'node:perf_hooks'
import { text } from 'node:stream/consumers'
import { projectPath } from '../pipeline/project.ts'

/** One thing that `npm run check` looks at. */
export interface Step {
  readonly name: string
  /** Gives a line for each fault, none when all is well; what is only to be known is told. */
  readonly run: (tell?: (note: string) => void) => Promise<readonly string[]>
}

/** Runs a step, prints a line on how it went with its faults below, and says if it went well. */
export async function runStep({ name, run }: Step): Promise<boolean> {
  const start = performance.now()
  const notes: string[] = []
  const faults = await run((note) => notes.push(note))
  const seconds = ((performance.now() - start) / 1000).toFixed(1)
  console.log(`${faults.length === 0 ? 'ok    ' : 'FAILED'} ${name} (${seconds} s)`)
  for (const line of [...faults, ...notes]) console.log(`  ${line}`)
  return faults.length === 0
}

/** Runs a program of node_modules in the project's folder; what it prints are the faults if it fails. */
export async function runProgram(program: string, args: readonly string[]): Promise<string[]> {
  const child = spawn(process.execPath, [projectPath('node_modules', program), ...args], {
    cwd: projectPath(),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const exited = new Promise<number | null>((resolve) => child.once('close', resolve))
  const [output, complaint] = await Promise.all([text(child.stdout), text(child.stderr)])
  if ((await exited) === 0) return []
  const lines = `${output}${complaint}`.split('\n').filter((line) => line.trim() !== '')
  return lines.length === 0 ? [`${program} failed without a word`] : lines
}
