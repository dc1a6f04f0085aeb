import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { type Command, type GuideStep, paste } from './guide.ts'

/** Follows steps of the page in a copy of the project; returns how the first one fails. */
export async function follow(
  copy: string,
  steps: readonly GuideStep[],
): Promise<string | undefined> {
  for (const step of steps) {
    const error = await take(copy, step).catch(String)
    if (error !== undefined) return error
  }
  return undefined
}

async function take(copy: string, step: GuideStep): Promise<string | undefined> {
  if (step.kind === 'command') return runCommand(copy, step)
  for (const snippet of step.snippets) await paste(copy, snippet)
  return undefined
}

async function runCommand(
  copy: string,
  { line, fails, prints }: Command,
): Promise<string | undefined> {
  const { status, output } = await runInShell(copy, line)
  if ((status !== 0) !== fails) return `${line} ended with ${status}: ${output}`
  const lines = output.split('\n')
  const missing = prints.find((expected) => !lines.some(toPattern(expected)))
  return missing === undefined ? undefined : `${line} did not print ${missing}\nbut ${output}`
}

function toPattern(expected: string): (line: string) => boolean {
  const parts = expected.split('…').map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  const pattern = new RegExp(`^${parts.join('.*')}$`)
  return (line) => pattern.test(line)
}

/** Runs a line in the shell as a person does who has the copy as working folder. */
export function runInShell(
  copy: string,
  line: string,
): Promise<{ readonly status: number; readonly output: string }> {
  const path = `${join(copy, 'node_modules/.bin')}:${process.env['PATH']}`
  // Without what marks a run of tests, or of CI.
  const { VITEST: _, NODE_ENV: __, CI: ___, ...env } = process.env
  return new Promise((done) => {
    execFile(
      ...(['/bin/sh', ['-c', line]] as const),
      { cwd: copy, env: { ...env, PATH: path, NO_COLOR: '1' }, maxBuffer: 2 ** 26 },
      (error, stdout, stderr) => {
        const status = error === null ? 0 : Number(error.code ?? 1)
        done({ status, output: stripVTControlCharacters(stdout + stderr) })
      },
    )
  })
}
