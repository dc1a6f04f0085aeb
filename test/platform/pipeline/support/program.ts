import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { project } from './workspace.ts'

/** How a program ended and what it said. */
export interface Ended {
  readonly status: number | null
  readonly output: string
  readonly complaint: string
}

/** Runs a Node program to its end. */
export async function run(
  program: string,
  args: readonly string[],
  options: { readonly cwd?: string; readonly env?: NodeJS.ProcessEnv } = {},
): Promise<Ended> {
  const child = spawn(process.execPath, [program, ...args], {
    cwd: options.cwd ?? project,
    env: { ...process.env, ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const status = new Promise<number | null>((resolve) => child.once('close', resolve))
  const [output, complaint] = await Promise.all([text(child.stdout), text(child.stderr)])
  return { status: await status, output, complaint }
}

/** Runs `npm run generate` without npm. */
export function generate(...args: string[]): Promise<Ended> {
  return run(join(project, 'scripts/generate.ts'), args)
}
