import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { type Ended, fixtureProject, type Program, startProgram } from './program.ts'

/** Where a command of `package.json` runs. */
interface Place {
  /** The `DATABASE_URL` of its store. */
  readonly url: string
  readonly cwd?: string
  /** The folder of the project whose command it is, if that is not the fixture project. */
  readonly project?: string
}

/** Starts a command of `package.json`, such as `keys`, without npm. */
export function startScript(
  { url, project = fixtureProject(), cwd = project }: Place,
  name: string,
  ...args: readonly string[]
): Program {
  const { scripts }: { readonly scripts: Readonly<Record<string, string>> } = JSON.parse(
    readFileSync(join(project, 'package.json'), 'utf8'),
  )
  const line = scripts[name]
  if (line === undefined) {
    throw new Error(`package.json has no script ${name}.`)
  }

  // The file is last, behind what Node.js loads before it.
  const file = line.split(' ').at(-1) ?? ''
  return startProgram(file, args, { env: { DATABASE_URL: url }, cwd, project })
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
