import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import clientManifest from '../../client/package.json' with { type: 'json' }
import { project, runInShell, runProgram } from './program.ts'
import { createTemporaryFolder } from './temporary-folder.ts'

/** Runs curl commands of a page with an API key in `KEY`; each must succeed. Returns what they print. */
export async function runCurl(commands: string, apiKey = ''): Promise<string> {
  const script = commands.replaceAll('curl ', 'curl -fsS ')
  const ended = await runInShell(`set -eu\nKEY='${apiKey}'\n${script}`)
  expect(ended).toMatchObject({ status: 0, errorOutput: '' })
  return ended.output
}

/**
 * Runs a snippet of a page with the client of this project in place of the package, and an API key in
 * `KEY`; it must succeed. Returns what it prints.
 */
export async function runClientSnippet(snippet: string, apiKey: string): Promise<string> {
  const file = join(createTemporaryFolder(), 'snippet.ts')
  writeFileSync(file, snippet.replace(clientManifest.name, join(project, 'client/index.ts')))
  const { status, output, errorOutput } = await runProgram(file, [], { env: { KEY: apiKey } })
  // A deprecated operation prints a warning.
  expect(status, errorOutput).toBe(0)
  return output
}
