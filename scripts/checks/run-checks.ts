import { join } from 'node:path'
import { compile } from '../pipeline/artifacts.ts'
import { compareFolder } from '../pipeline/output-folder.ts'
import { projectOutput, projectSpec, shortPath } from '../pipeline/project.ts'
import { releaseStep } from './release-step.ts'
import { responsesStep } from './responses-step.ts'
import { scoreStep } from './score-step.ts'
import { runProgram, runStep, type Step } from './step.ts'
import { workflowsStep } from './workflows-step.ts'

const steps: readonly Step[] = [
  { name: 'spec lint and freshness of generated/', run: checkContract },
  releaseStep(),
  scoreStep(),
  workflowsStep(),
  responsesStep(),
  { name: 'code lint and format', run: checkCode },
  { name: 'types', run: checkTypes },
]

/** Checks everything that can be checked without the tests; returns whether all passed. */
export async function runChecks(): Promise<boolean> {
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
