import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { projectPath } from './pipeline/project.ts'

const usage = `usage: npm test -- [--all] [FILE ...] [OPTION ...]

Runs npm run check, and then the tests of this project, in test/api and test/project; with --all also
those of the platform, in test/platform. Tests whose names end in .long.test.ts are run by
npm run test:long. With files, only those are run. Options are those of vitest:
`
const vitest = ['node_modules/vitest/vitest.mjs', 'run']

const [, , ...commandArgs] = process.argv
const args = commandArgs.filter((arg) => arg !== '--all')
const mode = commandArgs.includes('--all') ? 'test' : 'project'
const asksForHelp = args.includes('--help') || args.includes('-h')
// Ctrl-C reaches every process of a terminal; each program decides what to do.
process.on('SIGINT', () => undefined)

if (asksForHelp) {
  console.log(usage)
  process.exitCode = await run([...vitest, '--help'])
} else {
  const statusOfCheck = await run(['scripts/check.ts'])
  process.exitCode =
    statusOfCheck === 0 ? await run([...vitest, '--mode', mode, ...args]) : statusOfCheck
}

/** Runs a program of the project, with its arguments; resolves with its exit status. */
async function run([file = '', ...programArgs]: readonly string[]): Promise<number> {
  const child = spawn(process.execPath, [projectPath(file), ...programArgs], { stdio: 'inherit' })
  const stopChild = (signal: NodeJS.Signals) => child.kill(signal)
  process.on('SIGTERM', stopChild).on('SIGHUP', stopChild)
  const [status]: (number | null)[] = await once(child, 'close')
  process.off('SIGTERM', stopChild).off('SIGHUP', stopChild)
  return status ?? 1
}
