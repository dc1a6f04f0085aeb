import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { DescriptionError } from './failure.ts'
import { projectPath } from './project.ts'

interface GitOptions {
  /** What git reads from its standard input. */
  readonly input?: string
  /** Another index, so that the one of the repository stays as it is. */
  readonly indexFile?: string
}

/** Runs git in the project's folder; returns its exit status and what it prints. */
export async function tryGit(args: readonly string[], { input = '', indexFile }: GitOptions = {}) {
  const env = indexFile === undefined ? process.env : { ...process.env, GIT_INDEX_FILE: indexFile }
  // In a process group of its own, so that Ctrl-C does not end it amid a change.
  const child = spawn('git', args, { cwd: projectPath(), env, detached: true })
  // Of a command that ends before it has read all, the status says why.
  child.stdin.on('error', () => undefined).end(input)
  const printed = Promise.all([text(child.stdout), text(child.stderr)])
  const [status]: unknown[] = await once(child, 'close')
  const [output, errors] = await printed
  return { status, output, errors }
}

/** Runs git and returns what it prints; throws if it fails. */
export async function runGit(args: readonly string[], options: GitOptions = {}): Promise<string> {
  const { status, output, errors } = await tryGit(args, options)
  if (status === 0) {
    return output.trimEnd()
  }
  throw new DescriptionError([`git ${args[0]} failed: ${errors.trim() || `status ${status}`}`])
}

/** Runs git and returns what it prints; undefined if it fails or is not installed. */
export function askGit(...args: readonly string[]): Promise<string | undefined> {
  return runGit(args).catch(() => undefined)
}

/** Returns whether the project's folder is the root of a repository of git. */
export async function isRepository(): Promise<boolean> {
  return (await askGit('rev-parse', '--show-prefix')) === ''
}
