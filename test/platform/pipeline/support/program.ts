import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import type { Ended } from '../../../helpers/program.ts'
import { project } from './workspace.ts'

/** Runs a Node program, by default of the project, to its end; also outside of a test. */
export async function run(
  program: string,
  args: readonly string[],
  { cwd = project, env = {} }: { readonly cwd?: string; readonly env?: NodeJS.ProcessEnv } = {},
): Promise<Ended> {
  const { PATH, NODE_COMPILE_CACHE } = process.env
  const child = spawn(process.execPath, [resolve(project, program), ...args], {
    cwd,
    env: { PATH, NODE_COMPILE_CACHE, OPS_PORT: 'off', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const closed = once(child, 'close')
  const [output, complaint] = await Promise.all([text(child.stdout), text(child.stderr)])
  const [status, signal] = await closed
  return { status, signal, output, complaint }
}

/** Runs `npm run generate` without npm. */
export function generate(...args: string[]): Promise<Ended> {
  return run('scripts/generate.ts', args)
}
