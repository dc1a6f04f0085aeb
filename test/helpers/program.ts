import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { delimiter, join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { inject, onTestFinished, type TestContext } from 'vitest'

/** The folder of the project that has these tests. */
export const project = resolve(import.meta.dirname, '../..')

/**
 * Returns the folder of the fixture project: the platform's files with the fixture API. All tests of a run
 * share it, so that none may change a file there; `createProjectCopy` copies it.
 */
export const fixtureProject = () => inject('fixtureProject')

/** How a program ended, and what it printed. */
export interface Ended {
  readonly status: number | null
  readonly signal: NodeJS.Signals | null
  readonly output: string
  readonly errorOutput: string
}

/** A program that runs as a child. */
export type Program = ReturnType<typeof startCommand>

export interface CommandOptions {
  /** The whole environment, beside `PATH`. */
  readonly env?: NodeJS.ProcessEnv
  readonly cwd?: string
  /** Whether the caller ends it, because several tests share it or none runs. */
  readonly isShared?: boolean
}

export interface ProgramOptions extends CommandOptions {
  /** The folder of the project whose program it is, if that is not the fixture project. */
  readonly project?: string
}

/** Starts a program of a project, such as `server/main.ts`, in the folder of the project. */
export function startProgram(
  file: string,
  args: readonly string[] = [],
  { env, project: folder = fixtureProject(), cwd = folder, ...options }: ProgramOptions = {},
): Program {
  const { NODE_COMPILE_CACHE } = process.env
  // Many services run at once on a machine: only a test of its metrics gives one a port for them.
  const whole = { NODE_COMPILE_CACHE, OPS_PORT: 'off', ...env }
  const path = resolve(folder, file)
  return startCommand(process.execPath, [path, ...args], { ...options, cwd, env: whole })
}

/** Runs a program of a project to its end; also outside of a test. */
export function runProgram(
  file: string,
  args: readonly string[] = [],
  options: ProgramOptions = {},
): Promise<Ended> {
  return startProgram(file, args, { ...options, isShared: true }).ended
}

/** Returns the path of the first of these commands that is on the `PATH`; skips the test without one. */
export function needCommand(
  { skip }: Pick<TestContext, 'skip'>,
  ...names: readonly string[]
): string {
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  const paths = names.flatMap((name) => folders.map((folder) => join(folder, name)))
  return paths.find((path) => existsSync(path)) ?? skip(`no ${names.join(' or ')} on the PATH`)
}

/** Lets the shell run a line in a folder. */
export function runInShell(line: string, cwd = fixtureProject()): Promise<Ended> {
  return startCommand('/bin/sh', ['-c', line], { cwd }).ended
}

/** Starts a program of the machine; unless it is shared, it is killed when the test ends. */
export function startCommand(
  command: string,
  args: readonly string[],
  { env, cwd = project, isShared = false }: CommandOptions = {},
) {
  // Before the child is there: outside of a test nothing would end it.
  if (!isShared) {
    onTestFinished(async () => void (await kill('SIGKILL')))
  }
  const whole = { PATH: process.env['PATH'], ...env }
  const child = spawn(command, args, { cwd, env: whole, stdio: ['ignore', 'pipe', 'pipe'] })
  const { stdout } = child
  let output = ''
  stdout.setEncoding('utf8').on('data', (text) => {
    output += text
  })
  const errorOutput = text(child.stderr)
  const ended = once(child, 'close').then(async ([status, signal]): Promise<Ended> => {
    return { status, signal, output, errorOutput: await errorOutput }
  })
  // A child that cannot be started fails the callers that wait for it, and no others.
  ended.catch(() => undefined)

  function kill(signal: NodeJS.Signals): Promise<Ended> {
    child.kill(signal)
    return ended
  }

  /** Waits until the standard output, from an index on, matches; rejects when it ends before. */
  async function waitForOutput(pattern: RegExp, from = 0): Promise<RegExpExecArray> {
    for (;;) {
      const match = pattern.exec(output.slice(from))
      if (match !== null) {
        return match
      }
      const end = await Promise.race([once(stdout, 'data').then(() => undefined), ended])
      if (end === undefined) {
        continue
      }
      throw new Error(`It ended before it printed ${pattern}: ${JSON.stringify(end)}`)
    }
  }

  /** Returns what the standard output has so far. */
  const outputSoFar = () => output
  return { stdout, waitForOutput, outputSoFar, kill, ended }
}
