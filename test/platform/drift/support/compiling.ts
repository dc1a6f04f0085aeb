import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Ended, startProgram } from '../../../helpers/program.ts'

/** Runs a program of a copy, or of its node_modules, to its end. */
export function runIn(copy: string, program: string, ...args: string[]): Promise<Ended> {
  return startProgram(join(copy, program), args, { cwd: copy }).ended
}

/** Runs `npm run generate` in a copy; gives each line of what it complains of. */
export async function generateIn(copy: string): Promise<string[]> {
  const { status, complaint } = await runIn(copy, 'scripts/generate.ts')
  const lines = complaint.split('\n').filter((line) => line !== '')
  if ((status === 0) !== (lines.length === 0)) throw new Error(`${status}: ${complaint}`)
  return lines
}

/** Runs the compiler in a copy, with one checker: other tests want the other cores. */
export function compileIn(copy: string, settings: string): Promise<Ended> {
  const args = ['-p', join(copy, settings), '--checkers', '1']
  return runIn(copy, 'node_modules/typescript7/bin/tsc', ...args)
}

/** What the compiler says of a line of code. */
export interface TypeFault {
  readonly file: string
  readonly line: number
  /** The line that it points at, without what surrounds it. */
  readonly code: string
  readonly message: string
}

/** Type-checks a copy under the project's own settings, or others of its settings. */
export async function typeFaultsIn(copy: string, settings = 'tsconfig.json'): Promise<TypeFault[]> {
  const { status, output } = await compileIn(copy, settings)
  const found = [...output.matchAll(/^(\S+)\((\d+),\d+\): error (.*)$/gm)]
  if ((status === 0) !== (found.length === 0)) throw new Error(`${status}: ${output}`)
  return found.map(([, file = '', line = '', message = '']) => ({
    file,
    line: Number(line),
    code: readLine(join(copy, file), Number(line)),
    message,
  }))
}

function readLine(file: string, line: number): string {
  return readFileSync(file, 'utf8').split('\n')[line - 1]?.trim() ?? ''
}
