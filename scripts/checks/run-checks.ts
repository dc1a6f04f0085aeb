import { contractStep } from './contract-step.ts'
import { releaseStep } from './release-step.ts'
import { scoreStep } from './score-step.ts'
import { runProgram, runStep, type Step } from './step.ts'
import { workflowsStep } from './workflows-step.ts'

const steps: readonly Step[] = [
  contractStep(),
  releaseStep(),
  scoreStep(),
  workflowsStep(),
  { name: 'code lint and format', run: checkCode },
  { name: 'types', run: () => runProgram('typescript7/bin/tsc', ['-p', 'tsconfig.json']) },
]

/** Checks everything that can be said without running the service; says if all of it went well. */
export async function runChecks(): Promise<boolean> {
  const results = await Promise.all(steps.map(runStep))
  return results.every(Boolean)
}

async function checkCode(): Promise<string[]> {
  const options = ['--error-on-warnings', '--max-diagnostics=none']
  const faults = await runProgram('@biomejs/biome/bin/biome', ['check', ...options])
  return faults.length === 0 ? [] : [...faults, 'most of this is mended by: npm run format']
}
