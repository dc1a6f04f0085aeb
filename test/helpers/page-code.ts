import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import clientManifest from '../../client/package.json' with { type: 'json' }
import { expectSuccess } from './npm-script.ts'
import { project, runInShell, startProgram } from './program.ts'
import { createTemporaryFolder } from './temporary-folder.ts'

/** Runs curl commands of a page with an API key in `KEY`; each must succeed. Returns what they print. */
export function runCurl(commands: string, apiKey = ''): Promise<string> {
  const script = commands.replaceAll('curl ', 'curl -fsS ')
  return expectSuccess(runInShell(`set -eu\nKEY='${apiKey}'\n${script}`))
}

/**
 * Runs a snippet of a page with the client of this project in place of the package, and an API key in
 * `KEY`; it must succeed. Returns what it prints.
 */
export async function runClientSnippet(snippet: string, apiKey: string): Promise<string> {
  const file = join(createTemporaryFolder(), 'snippet.ts')
  writeFileSync(file, snippet.replace(clientManifest.name, join(project, 'client/index.ts')))
  const ended = await startProgram(file, [], { project, env: { KEY: apiKey } }).ended
  // A deprecated operation warns on standard error.
  const errorOutput = expect.stringMatching(/^$|^The operation \w+ is deprecated: /)
  expect(ended).toMatchObject({ status: 0, errorOutput })
  return ended.output
}
