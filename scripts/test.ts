import { spawn } from 'node:child_process'
import { runChecks } from './checks/run-checks.ts'
import { projectPath } from './pipeline/project.ts'

if (await runChecks()) {
  const vitest = projectPath('node_modules/vitest/vitest.mjs')
  const args = [vitest, 'run', '--root', projectPath(), ...process.argv.slice(2)]
  spawn(process.execPath, args, { stdio: 'inherit' }).once('close', (status) => {
    process.exitCode = status ?? 1
  })
} else {
  process.exitCode = 1
}
