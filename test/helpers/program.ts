import { spawn } from 'node:child_process'
import { resolve } from 'node:path'
import { onTestFinished } from 'vitest'

const project = resolve(import.meta.dirname, '../..')

/** How a program ended, and what it said. */
export interface Ended {
  readonly status: number | null
  readonly signal: NodeJS.Signals | null
  readonly output: string
  readonly complaint: string
}

/** A program that runs as a child; it is killed when the test ends, however that ends. */
export interface Program {
  /** What the standard output has so far. */
  readonly said: () => string
  /** Waits until the standard output has what a pattern looks for; rejects when it ends before. */
  readonly says: (pattern: RegExp) => Promise<RegExpExecArray>
  readonly kill: (signal: NodeJS.Signals) => Promise<Ended>
  /** Takes nothing from its standard output until it is told to read on. */
  readonly pauseReading: () => void
  readonly readOn: () => void
  readonly ended: Promise<Ended>
}

export interface ProgramOptions {
  /** The whole environment, beside `PATH`. */
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
}

/** Starts one of the project's programs, such as `server/main.ts`. */
export function startProgram(
  file: string,
  args: readonly string[] = [],
  { env, cwd = project }: ProgramOptions = {},
): Program {
  const path = { PATH: process.env['PATH'], NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] }
  // Many services run at once on a machine: only a test of its metrics gives one a port for them.
  const metrics = { OPS_PORT: 'off' }
  return start(
    process.execPath,
    [resolve(project, file), ...args],
    { ...path, ...metrics, ...env },
    cwd,
  )
}

/** Starts a program of the machine, found on the path. */
export function startCommand(
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Program {
  return start(command, args, { PATH: process.env['PATH'], ...env }, project)
}

/** Lets the shell run a line. */
export function runInShell(line: string): Promise<Ended> {
  return start('/bin/sh', ['-c', line], { PATH: process.env['PATH'] }, project).ended
}

function start(
  command: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  cwd: string,
): Program {
  // Before the child is there: outside of a test nobody would end it.
  onTestFinished(async () => {
    await kill('SIGKILL')
  })
  const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  let complaint = ''
  child.stdout.setEncoding('utf8').on('data', (text) => {
    output += text
  })
  child.stderr.setEncoding('utf8').on('data', (text) => {
    complaint += text
  })
  const ended = new Promise<Ended>((settle, reject) => {
    child.once('error', reject)
    child.once('close', (status, signal) => settle({ status, signal, output, complaint }))
  })
  // A child that cannot be started fails whoever waits for it, not whoever does not.
  ended.catch(() => undefined)

  function kill(signal: NodeJS.Signals): Promise<Ended> {
    child.kill(signal)
    return ended
  }

  async function says(pattern: RegExp): Promise<RegExpExecArray> {
    for (;;) {
      const found = pattern.exec(output)
      if (found !== null) return found
      const more = new Promise<undefined>((settle) =>
        child.stdout.once('data', () => settle(undefined)),
      )
      const end = await Promise.race([more, ended])
      if (end === undefined) continue
      throw new Error(`It ended before it said ${pattern}: ${JSON.stringify(end)}`)
    }
  }

  return {
    ...{ said: () => output, says, kill, ended },
    pauseReading: () => void child.stdout.pause(),
    readOn: () => void child.stdout.resume(),
  }
}
