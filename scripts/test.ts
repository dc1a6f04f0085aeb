import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { projectPath } from './pipeline/project.ts'

const usage = `usage: npm test -- [FILE ...] [OPTION ...]

Runs npm run check, and then the tests: all but the long ones, or those of the files. Options are those
of vitest:
`
const vitest = ['node_modules/vitest/vitest.mjs', 'run']

const [, , ...args] = process.argv
const asksForHelp = args.includes('--help') || args.includes('-h')
// Ctrl-C reaches every process of a terminal; each program decides what to do.
process.on('SIGINT', () => undefined)

if (asksForHelp) {
  console.log(usage)
  process.exitCode = await run([...vitest, '--help'])
} else {
  const statusOfCheck = await run(['scripts/check.ts'])
  process.exitCode = statusOfCheck === 0 ? await run([...vitest, ...args]) : statusOfCheck
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
