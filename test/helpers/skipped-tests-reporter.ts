import type { Reporter, TestCase } from 'vitest/node'

/** Prints, as the last lines of a run, every test that was skipped; with CI=true none may be. */
export function createSkippedTestsReporter(): Reporter {
  let isFiltered = false
  return {
    onInit({ config }) {
      isFiltered = config.testNamePattern !== undefined
    },
    onTestRunEnd(modules) {
      // With `-t` the skipped tests are those that were not asked for.
      if (isFiltered) {
        return
      }
      const skipped = modules.flatMap(({ children }) => [...children.allTests('skipped')])
      for (const test of skipped) {
        console.log(`skipped: ${describe(test)}`)
      }
      if (skipped.length === 0 || !process.env['CI']) {
        return
      }
      console.log('with CI set no test may be skipped')
      process.exitCode = 1
    },
  }
}

function describe(test: TestCase): string {
  const result = test.result()
  const note = result.state === 'skipped' ? result.note : undefined
  return `${test.fullName}: ${note ?? 'skipped without a reason'}`
}
