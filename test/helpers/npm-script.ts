import { expect } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { type Ended, type Program, project, startProgram } from './program.ts'

/** Where a script runs: on the store of a `DATABASE_URL`, in the project's folder or another one. */
interface Place {
  readonly url: string
  readonly cwd?: string
}

/** Starts a script of `package.json` that is a command, such as `keys`, without npm. */
export function startScript(
  { url, cwd = project }: Place,
  name: string,
  ...args: readonly string[]
): Program {
  const scripts: Readonly<Record<string, string>> = packageJson.scripts
  const file = scripts[name]?.replace(/^node /, '') ?? ''
  return startProgram(file, args, { env: { DATABASE_URL: url }, cwd })
}

/** Runs a script to its end. */
export function runScript(...line: Parameters<typeof startScript>): Promise<Ended> {
  return startScript(...line).ended
}

/** Expects a program to succeed without a word on standard error; returns what it printed. */
export async function expectSuccess(running: Promise<Ended>): Promise<string> {
  const { output, ...ended } = await running
  expect(ended, output).toEqual({ status: 0, signal: null, errorOutput: '' })
  return output
}

/** Expects a program to fail with a line on standard error, and nothing else. */
export async function expectFailure(
  running: Promise<Ended>,
  line: string | RegExp,
  status = 1,
): Promise<void> {
  const ended = await running
  const { output, errorOutput } = ended
  expect([ended.status, output], errorOutput).toEqual([status, ''])
  expect(errorOutput).toMatch(/^.+\n$/)
  const [printed] = errorOutput.split('\n')
  expect(printed).toEqual(typeof line === 'string' ? line : expect.stringMatching(line))
}
