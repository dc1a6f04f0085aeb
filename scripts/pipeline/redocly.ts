import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { projectPath } from './project.ts'

const program = projectPath('node_modules/@redocly/cli/bin/cli.js')

/** Runs a command of the Redocly CLI in a process of its own; gives what it prints. */
export async function runRedocly(
  ...args: readonly string[]
): Promise<{ readonly output: string; readonly complaint: string }> {
  const child = spawn(process.execPath, [program, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
  })
  const [output, complaint] = await Promise.all([text(child.stdout), text(child.stderr)])
  return { output, complaint }
}
