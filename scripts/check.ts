import { join } from 'node:path'
import { responsesStep } from './checks/responses-step.ts'
import { scoreStep } from './checks/score-step.ts'
import { runStep, type Step } from './checks/step.ts'
import { workflowsStep } from './checks/workflows-step.ts'
import { checkRelease } from './diff/gate.ts'
import { compile } from './pipeline/artifacts.ts'
import { runCommand, UsageError } from './pipeline/failure.ts'
import { compareFolder } from './pipeline/output-folder.ts'
import { runProgram } from './pipeline/programs.ts'
import { projectOutput, projectSpec, shortPath } from './pipeline/project.ts'

if (import.meta.main) {
  const usage = 'usage: npm run check, without arguments'
  await runCommand(usage, async () => {
    if (process.argv.length > 2) throw new UsageError(usage)
    if (!(await runChecks())) process.exitCode = 1
  })
}

/** Checks all but the tests, for the version of the description or another; returns whether all passed. */
export async function runChecks(version?: string): Promise<boolean> {
  const steps: readonly Step[] = [
    { name: 'spec lint and freshness of generated/', run: checkContract },
    {
      name: 'version, sunsets and stored values since the last release',
      run: (note) => checkGate(note, version),
    },
    scoreStep(),
    workflowsStep(),
    responsesStep(),
    { name: 'code lint and format', run: checkCode },
    { name: 'types', run: checkTypes },
  ]
  const results = await Promise.all(steps.map(runStep))
  return results.every(Boolean)
}

async function checkContract(): Promise<readonly string[]> {
  const { artifacts } = await compile(projectSpec, 'strict')
  const { stale, missing, extra } = await compareFolder(projectOutput, artifacts)
  const path = (name: string) => shortPath(join(projectOutput, name))
  return [
    ...stale.map((name) => `${path(name)} is stale; run: npm run generate`),
    ...missing.map((name) => `${path(name)} is missing; run: npm run generate`),
    ...extra.map((name) => `${path(name)} does not come from the spec; delete or move it`),
  ]
}

/** Compares the description with the last release: its version, its sunsets, what was stored. */
async function checkGate(note = (_: string): void => undefined, version?: string) {
  const { errors, notes } = await checkRelease(version)
  notes.forEach(note)
  return errors
}

// Each of its checkers works out the types of the libraries for itself: with the usual four that is
// a third more work, and other steps need the cores.
function checkTypes(): Promise<string[]> {
  return runProgram('typescript7/bin/tsc', ['-p', 'tsconfig.json', '--checkers', '2'])
}

async function checkCode(): Promise<string[]> {
  const options = ['--error-on-warnings', '--max-diagnostics=none']
  const errors = await runProgram('@biomejs/biome/bin/biome', ['check', ...options])
  return errors.length === 0 ? [] : [...errors, 'most of this is fixed by: npm run format']
}
