import { expect } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { type Ended, type Program, startProgram } from './program.ts'

/** An npm script that is a command, such as `keys`, with its arguments. */
export type ScriptLine = readonly [name: string, ...args: string[]]

/** Starts a script as `package.json` has it, without npm, on the store that a `DATABASE_URL` names. */
export function startScript([name, ...args]: ScriptLine, url: string, cwd?: string): Program {
  const scripts: Readonly<Record<string, string>> = packageJson.scripts
  const file = scripts[name]?.replace(/^node /, '') ?? ''
  return startProgram(file, args, { env: { DATABASE_URL: url }, ...(cwd && { cwd }) })
}

/** Runs a script to its end. */
export function runScript(line: ScriptLine, url: string, cwd?: string): Promise<Ended> {
  return startScript(line, url, cwd).ended
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
