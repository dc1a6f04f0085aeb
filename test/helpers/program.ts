import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join, resolve } from 'node:path'
import { onTestFinished, type TestContext } from 'vitest'

/** The project's own folder. */
export const project = resolve(import.meta.dirname, '../..')

/** How a program ended, and what it printed. */
export interface Ended {
  readonly status: number | null
  readonly signal: NodeJS.Signals | null
  readonly output: string
  readonly errorOutput: string
}

/** A program that runs as a child; it is killed when the test ends, however that ends. */
export type Program = ReturnType<typeof startShared>

export interface ProgramOptions {
  /** The whole environment, beside `PATH`. */
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
}

/** Starts one of the project's programs, such as `server/main.ts`. */
export function startProgram(
  file: string,
  args: readonly string[] = [],
  options: ProgramOptions = {},
): Program {
  return untilTestEnds(() => startSharedProgram(file, args, options))
}

/** Starts a program that several tests share; the caller ends it. */
export function startSharedProgram(
  file: string,
  args: readonly string[],
  { env, cwd = project }: ProgramOptions,
): Program {
  const path = { PATH: process.env['PATH'], NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] }
  // Many services run at once on a machine: only a test of its metrics gives one a port for them.
  const metrics = { OPS_PORT: 'off' }
  return startShared(
    process.execPath,
    [resolve(project, file), ...args],
    { ...path, ...metrics, ...env },
    cwd,
  )
}

/** Runs one of the project's programs to its end; also outside of a test. */
export function runProgram(
  file: string,
  args: readonly string[] = [],
  options: ProgramOptions = {},
): Promise<Ended> {
  return startSharedProgram(file, args, options).ended
}

/** Starts a program of the machine, found on the path. */
export function startCommand(
  command: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
  cwd = project,
): Program {
  return untilTestEnds(() => startShared(command, args, { PATH: process.env['PATH'], ...env }, cwd))
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

/** Lets the shell run a line. */
export function runInShell(line: string): Promise<Ended> {
  return startCommand('/bin/sh', ['-c', line]).ended
}

// It is noted before the child is there: outside of a test nothing would end it.
function untilTestEnds(start: () => Program): Program {
  let program: Program | undefined
  onTestFinished(async () => {
    await program?.kill('SIGKILL')
  })
  program = start()
  return program
}

/** Starts a command outside of a test, or for several; the caller ends it. */
export function startShared(
  command: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  cwd: string,
) {
  const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  let errorOutput = ''
  child.stdout.setEncoding('utf8').on('data', (text) => {
    output += text
  })
  child.stderr.setEncoding('utf8').on('data', (text) => {
    errorOutput += text
  })
  const ended = new Promise<Ended>((settle, reject) => {
    child.once('error', reject)
    child.once('close', (status, signal) => settle({ status, signal, output, errorOutput }))
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
      const found = pattern.exec(output.slice(from))
      if (found !== null) return found
      const more = new Promise<undefined>((settle) =>
        child.stdout.once('data', () => settle(undefined)),
      )
      const end = await Promise.race([more, ended])
      if (end === undefined) continue
      throw new Error(`It ended before it printed ${pattern}: ${JSON.stringify(end)}`)
    }
  }

  return {
    ...{ waitForOutput, kill, ended },
    /** What the standard output has so far. */
    outputSoFar: () => output,
    /** Takes nothing from its standard output until `readOn` is called. */
    pauseReading: () => void child.stdout.pause(),
    readOn: () => void child.stdout.resume(),
  }
}
