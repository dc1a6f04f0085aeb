import { execFile } from 'node:child_process'
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
