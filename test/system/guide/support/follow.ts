import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { expect } from 'vitest'
import { startCommand } from '../../../helpers/program.ts'
import { type Command, type GuideStep, paste } from './guide.ts'

/** Follows steps of the page in a copy of the project; throws at the first one that fails. */
export async function follow(copy: string, steps: readonly GuideStep[]): Promise<void> {
  for (const step of steps) {
    if (step.kind === 'command') await runCommand(copy, step)
    else for (const snippet of step.snippets) await paste(copy, snippet)
  }
}

async function runCommand(copy: string, { line, fails, prints }: Command): Promise<void> {
  const { status, output } = await runInShell(copy, line)
  expect(status !== 0, `${line} ended with ${status}: ${output}`).toBe(fails)
  for (const expected of prints) {
    const pattern = expected.split('…').map(RegExp.escape).join('.*')
    expect(output).toMatch(new RegExp(`^${pattern}$`, 'm'))
  }
}

/** Runs a line in the shell as a person does who has the copy as working folder. */
export async function runInShell(copy: string, line: string) {
  const path = `${join(copy, 'node_modules/.bin')}:${process.env['PATH']}`
  // Without what marks a run of tests, or of CI.
  const { VITEST: _, NODE_ENV: __, CI: ___, ...others } = process.env
  const env = { ...others, PATH: path, NO_COLOR: '1' }
  const options = { cwd: copy, env, isShared: true }
  const { status, output, errorOutput } = await startCommand('/bin/sh', ['-c', line], options).ended
  return { status, output: stripVTControlCharacters(output + errorOutput) }
}
