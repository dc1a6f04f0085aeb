import { execFileSync } from 'node:child_process'
import { resolve } from 'node:path'

const folder = resolve(import.meta.dirname, '../../../server/commands')

/** A command of the project, such as `keys`, with its arguments. */
export type CommandLine = readonly [command: string, ...args: string[]]

/** What a command line printed, and its exit status. */
export interface Printed {
  readonly status: number
  readonly output: string
  readonly complaint: string
}

// Node evaluates a module again under another query; what the commands share is loaded once.
const runAll = `
const [folder, lines] = process.argv.slice(1)
const results = []
const { log } = console
// Commands listen for signals, each anew.
process.setMaxListeners(0)
process.stderr.setMaxListeners(0)
for (const [index, [command, ...args]] of JSON.parse(lines).entries()) {
  const result = { status: 0, output: '', complaint: '' }
  console.log = (text) => { result.output += text + '\\n' }
  console.error = (text) => { result.complaint += text + '\\n' }
  process.argv = ['node', command, ...args]
  process.exitCode = 0
  await import(\`file://\${folder}/\${command}.ts?\${index}\`)
  results.push({ ...result, status: process.exitCode })
}
process.exitCode = 0
log(JSON.stringify(results))`

/** Runs command lines one after the other in one process, which is faster than one for each. */
export function runCommandLines(
  lines: readonly CommandLine[],
  cwd: string,
  databaseUrl: string,
): Printed[] {
  const env = { ...process.env, DATABASE_URL: databaseUrl }
  const args = ['--input-type=module', '-e', runAll, '--', folder, JSON.stringify(lines)]
  return JSON.parse(execFileSync(process.execPath, args, { cwd, env, encoding: 'utf8' }))
}
