import { type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { basename } from 'node:path'
import { text } from 'node:stream/consumers'
import { DescriptionError } from './failure.ts'
import { projectPath } from './project.ts'

/** The environment in which the Redocly CLI makes no request to its vendor. */
export const quiet = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }

/** Runs a command of the Redocly CLI and returns what it prints. */
export function runRedocly(args: readonly string[], signal?: AbortSignal) {
  const cli = projectPath('node_modules/@redocly/cli/bin/cli.js')
  return run(process.execPath, [cli, ...args], { signal })
}

/** Runs a program of node_modules; returns the lines that it prints if it fails. */
export async function runProgram(
  program: string,
  args: readonly string[],
  signal?: AbortSignal,
): Promise<string[]> {
  const file = projectPath('node_modules', program)
  const { output, errors, status } = await run(process.execPath, [file, ...args], { signal })
  if (status === 0) {
    return []
  }
  const lines = `${output}${errors}`.split('\n').filter((line) => line.trim() !== '')
  return lines.length === 0 ? [`${program} failed without a message`] : lines
}

/**
 * Runs a program and returns what it prints; throws if it fails. It has a process group of its own, so
 * that Ctrl-C does not end it.
 */
export async function runApart(
  program: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<string> {
  const { output, errors, status } = await run(program, args, { env, detached: true })
  if (status === 0) {
    return output
  }
  const name = `${basename(program)} ${args[0]}`
  throw new DescriptionError([`${name} failed: ${errors.trim() || `status ${status}`}`])
}

/** Runs a program in the project's folder; rejects if it cannot be started, or is aborted. */
async function run(
  program: string,
  args: readonly string[],
  { env, ...options }: Pick<SpawnOptions, 'env' | 'signal' | 'detached'>,
) {
  const child = spawn(program, args, {
    ...options,
    cwd: projectPath(),
    env: { ...process.env, ...quiet, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const printed = Promise.all([text(child.stdout), text(child.stderr)])
  const [status]: unknown[] = await once(child, 'close')
  const [output, errors] = await printed
  return { output, errors, status }
}
