import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { projectPath } from './project.ts'

/** What a command of the Redocly CLI prints. */
export interface RedoclyOutput {
  readonly output: string
  readonly complaint: string
}

type Run = (args: readonly string[]) => Promise<RedoclyOutput>

/** What keeps the CLI from calling home. */
export const quiet = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }

const program = projectPath('node_modules/@redocly/cli/bin/cli.js')
let run: Run = (args) => runRedoclyProcess(args)

/** Runs a command of the Redocly CLI in a process of its own; gives what it prints. */
export function runRedocly(...args: readonly string[]): Promise<RedoclyOutput> {
  return run(args)
}

/** Has all commands run in another way: where a process stays, loading need not be paid each time. */
export function runRedoclyBy(other: Run): void {
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
