import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { basename } from 'node:path'
import { text } from 'node:stream/consumers'
import { DescriptionError } from './failure.ts'
import { projectPath } from './project.ts'

/** The environment in which the Redocly CLI makes no request to its vendor. */
export const quiet = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }

interface Ended {
  readonly output: string
  readonly errors: string
  readonly hasFailed: boolean
}

/** Runs a command of the Redocly CLI and returns what it prints; nothing if it was aborted. */
export function runRedocly(args: readonly string[], signal?: AbortSignal): Promise<Ended> {
  return run('@redocly/cli/bin/cli.js', args, signal)
}

/** Runs a program of node_modules; returns the lines that it prints if it fails. */
export async function runProgram(
  program: string,
  args: readonly string[],
  signal?: AbortSignal,
): Promise<string[]> {
  const { output, errors, hasFailed } = await run(program, args, signal)
  if (!hasFailed) return []
  const lines = `${output}${errors}`.split('\n').filter((line) => line.trim() !== '')
  return lines.length === 0 ? [`${program} failed without a message`] : lines
}

/**
 * Runs a program in the project's folder and returns what it prints; throws if it fails. It has a process
 * group of its own, so that Ctrl-C does not end it.
 */
export async function runApart(
  program: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<string> {
  const options = { cwd: projectPath(), env: { ...process.env, ...env }, detached: true }
  const child = spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
  const printed = Promise.all([text(child.stdout), text(child.stderr)])
  const [status]: unknown[] = await once(child, 'close')
  const [output, errors] = await printed
  if (status === 0) return output
  const name = `${basename(program)} ${args[0]}`
  throw new DescriptionError([`${name} failed: ${errors.trim() || `status ${status}`}`])
}

/** Runs a program of node_modules in the project's folder. */
function run(program: string, args: readonly string[], signal?: AbortSignal): Promise<Ended> {
  const env = { ...process.env, ...quiet }
  const options = { cwd: projectPath(), env, maxBuffer: 1e9, ...(signal && { signal }) }
  return new Promise((resolve) => {
    const line = [projectPath('node_modules', program), ...args]
    execFile(process.execPath, line, options, (error, output, errors) => {
      resolve({ output, errors, hasFailed: error !== null })
    })
  })
}
