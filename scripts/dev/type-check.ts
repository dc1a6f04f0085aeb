import { runProgram } from '../pipeline/programs.ts'
import { projectPath } from '../pipeline/project.ts'
import type { Finding } from './state.ts'

// The compiler keeps its results in a file, and checks only the files that a save concerns.
const options = ['--noEmit', '--incremental', '--pretty', 'false']
const buildInfo = ['--tsBuildInfoFile', projectPath('data/dev.tsbuildinfo')]

/** How many characters of a reason are shown, and how many of them are those of its end. */
const maxLength = 160
const endLength = 58
const omission = ' … '

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
  const matches = output.matchAll(/^(?:(.+?)\((\d+),(\d+)\): )?error TS\d+: (.*(?:\n .*)*)/gm)
  const errors = Array.from(matches, ([, file = 'tsconfig.json', line, column, message = '']) => ({
    file,
    line: Number(line ?? 1),
    column: Number(column ?? 1),
    message: reasonOf(message),
  }))
  const byFile = Map.groupBy(errors, ({ file }) => file)
  const ordinalOf = (error: Finding) => byFile.get(error.file)?.indexOf(error) ?? 0
  // The first error of a file often causes the others: the first ones of all files are listed, then the second ones.
  const inOrder = errors.toSorted((one, other) => ordinalOf(one) - ordinalOf(other))

  // Tests and benchmarks are changed after the code that they are about.
  const isOfTest = ({ file }: Finding) => /^(?:test|bench)\//.test(file)
  const ofCode = inOrder.filter((error) => !isOfTest(error))
  return [...ofCode, ...inOrder.filter(isOfTest)]
}

/** Returns the last line of an error, which has the reason, without the middle of a long one. */
function reasonOf(message: string): string {
  const reason = (message.split('\n').at(-1) ?? '').trim()
  if (reason.length <= maxLength) {
    return reason
  }
  const start = reason.slice(0, maxLength - omission.length - endLength)
  return `${start}${omission}${reason.slice(-endLength)}`
}
