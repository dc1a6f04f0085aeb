import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { projectPath } from './project.ts'

/** The environment in which the CLI makes no request to its vendor. */
export const quiet = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }

const program = projectPath('node_modules/@redocly/cli/bin/cli.js')

/** Runs a command of the Redocly CLI and returns what it prints. */
export async function runRedocly(args: readonly string[], signal?: AbortSignal) {
  const child = spawn(process.execPath, [program, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...quiet },
    ...(signal && { signal }),
  })
  // A process that is aborted ends with an error event; its output is empty then.
  child.once('error', () => undefined)
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)])
  return { output, errors }
}
