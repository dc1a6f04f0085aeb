import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Ended } from '../../../helpers/program.ts'
import { run } from '../../pipeline/support/program.ts'

/** Runs a program of a copy, or of its node_modules, to its end. */
export function runIn(copy: string, program: string, ...args: string[]): Promise<Ended> {
  return run(join(copy, program), args, { cwd: copy })
}

/** Runs `npm run generate` in a copy; returns each line of its errors. */
export async function generateIn(copy: string): Promise<string[]> {
  const { status, complaint } = await runIn(copy, 'scripts/generate.ts')
  const lines = complaint.split('\n').filter((line) => line !== '')
  if ((status === 0) !== (lines.length === 0)) throw new Error(`${status}: ${complaint}`)
  return lines
}

/** An error of the compiler. */
export interface TypeFault {
  readonly file: string
  /** The line that it points at, trimmed. */
  readonly code: string
  readonly message: string
}

/** Type-checks a copy with one checker: other tests use the other cores. */
export async function typeFaultsIn(copy: string): Promise<TypeFault[]> {
  const args = ['-p', join(copy, 'tsconfig.json'), '--checkers', '1']
  const { status, output } = await runIn(copy, 'node_modules/typescript7/bin/tsc', ...args)
  const found = [...output.matchAll(/^(\S+)\((\d+),\d+\): error (.*)$/gm)]
  if ((status === 0) !== (found.length === 0)) throw new Error(`${status}: ${output}`)
  return found.map(([, file = '', line = '', message = '']) => {
    const lines = readFileSync(join(copy, file), 'utf8').split('\n')
    return { file, code: lines[Number(line) - 1]?.trim() ?? '', message }
  })
}
