import { runChecks } from './checks/run-checks.ts'

if (!(await runChecks())) process.exitCode = 1
