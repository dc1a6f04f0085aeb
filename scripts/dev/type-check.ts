import { runProgram } from '../pipeline/programs.ts'
import { projectPath } from '../pipeline/project.ts'
import type { Finding } from './state.ts'

// The compiler keeps its results in a file, and checks only the files that a save concerns.
const options = ['--noEmit', '--incremental', '--pretty', 'false']
const buildInfo = ['--tsBuildInfoFile', projectPath('data/dev.tsbuildinfo')]

const longest = 160

/** Checks the types of the whole project; rejects when it is aborted. */
export async function checkTypes(signal: AbortSignal): Promise<readonly Finding[]> {
  const args = ['-p', 'tsconfig.json', ...options, ...buildInfo]
  const output = (await runProgram('typescript7/bin/tsc', args, signal)).join('\n')
  if (output === '' || output.includes('error TS')) {
    return readErrors(output)
  }
  throw new Error(`The compiler failed: ${output}`)
}

function readErrors(output: string): readonly Finding[] {
  const found = output.matchAll(/^(?:(.+?)\((\d+),(\d+)\): )?error TS\d+: (.*(?:\n .*)*)/gm)
  const errors = Array.from(found, ([, file = 'tsconfig.json', line, column, message = '']) => ({
    file,
    line: Number(line ?? 1),
    column: Number(column ?? 1),
    message: reasonOf(message),
  }))
  const byFile = Map.groupBy(errors, ({ file }) => file)
  // One error of each file, then the second ones: the first of a file often causes the others.
  const ordinalOf = (error: Finding) => byFile.get(error.file)?.indexOf(error) ?? 0
  // Tests and benchmarks are changed after the code that they are about.
  const isLater = ({ file }: Finding) => Number(/^(?:test|bench)\//.test(file))
  return errors.toSorted(
    (one, other) => isLater(one) - isLater(other) || ordinalOf(one) - ordinalOf(other),
  )
}

/** Returns the last line of an error, which has the reason, without the middle of a long one. */
function reasonOf(message: string): string {
  const reason = (message.split('\n').at(-1) ?? '').trim()
  if (reason.length <= longest) {
    return reason
  }
  return `${reason.slice(0, longest - 61)} … ${reason.slice(-58)}`
}
