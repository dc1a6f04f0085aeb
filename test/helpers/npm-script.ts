import { expect } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { type Ended, type Program, project, startProgram } from './program.ts'

/** Starts a command of `package.json`, such as `keys`, without npm, on the store of a `DATABASE_URL`. */
export function startScript(
  { url, cwd = project }: { readonly url: string; readonly cwd?: string },
  name: string,
  ...args: readonly string[]
): Program {
  const scripts: Readonly<Record<string, string>> = packageJson.scripts
  // The file is last, behind what Node.js loads before it.
  const file = scripts[name]?.split(' ').at(-1) ?? ''
  return startProgram(file, args, { env: { DATABASE_URL: url }, cwd })
}

/** Runs a command of `package.json` to its end. */
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
