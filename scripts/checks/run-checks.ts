import { contractStep } from './contract-step.ts'
import { releaseStep } from './release-step.ts'
import { responsesStep } from './responses-step.ts'
import { scoreStep } from './score-step.ts'
import { runProgram, runStep, type Step } from './step.ts'
import { workflowsStep } from './workflows-step.ts'

/** What is known to be unfinished where the checks are run. */
export interface CheckOptions {
  /** Whether `spec/released.yaml` holds a release that has no tag yet. */
  readonly isTagMissing?: boolean
}

const steps = ({ isTagMissing = false }: CheckOptions): readonly Step[] => [
  contractStep(),
  releaseStep(isTagMissing),
  scoreStep(),
  workflowsStep(),
  responsesStep(),
  { name: 'code lint and format', run: checkCode },
  { name: 'types', run: checkTypes },
]

/** Checks everything that can be checked without the tests; returns whether all passed. */
export async function runChecks(options: CheckOptions = {}): Promise<boolean> {
  const results = await Promise.all(steps(options).map(runStep))
  return results.every(Boolean)
}

// Each of its checkers works out the types of the libraries for itself: with the usual four that is
// a third more work, and other steps want the cores.
function checkTypes(): Promise<string[]> {
  return runProgram('typescript7/bin/tsc', ['-p', 'tsconfig.json', '--checkers', '2'])
}

async function checkCode(): Promise<string[]> {
  const options = ['--error-on-warnings', '--max-diagnostics=none']
  const faults = await runProgram('@biomejs/biome/bin/biome', ['check', ...options])
  return faults.length === 0 ? [] : [...faults, 'most of this is mended by: npm run format']
}
