import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { projectPath } from './project.ts'

/** What a command of the Redocly CLI prints. */
export interface RedoclyOutput {
  readonly output: string
  readonly complaint: string
}

/** The environment in which the CLI makes no request to its vendor. */
export const quiet = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }

const program = projectPath('node_modules/@redocly/cli/bin/cli.js')
let run = (args: readonly string[]) => runRedoclyProcess(args)

/** Runs a command of the Redocly CLI and returns what it prints. */
export function runRedocly(...args: readonly string[]): Promise<RedoclyOutput> {
  return run(args)
}

/** Makes `runRedocly` run commands in another way than a new process for each. */
export function runRedoclyBy(other: (args: readonly string[]) => Promise<RedoclyOutput>): void {
  run = other
}

/** Runs a command of the Redocly CLI in a new process, whatever `runRedocly` uses. */
export async function runRedoclyProcess(
  args: readonly string[],
  signal?: AbortSignal,
): Promise<RedoclyOutput> {
  const child = spawn(process.execPath, [program, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...quiet },
    ...(signal && { signal }),
  })
  // A process that is aborted ends with an error event; its output is empty then.
  child.once('error', () => undefined)
  const [output, complaint] = await Promise.all([text(child.stdout), text(child.stderr)])
  return { output, complaint }
}
