import type { Reporter, TestCase } from 'vitest/node'

/** Prints, as the last lines of a run, every test that was skipped; with CI=true none may be. */
export function createSkippedTestsReporter(): Reporter {
  let isFiltered = false
  return {
    onInit({ config }) {
      isFiltered = config.testNamePattern !== undefined
    },
    onTestRunEnd(modules) {
      const allSkipped = modules.flatMap(({ children }) => [...children.allTests('skipped')])
      // With `-t`, tests that were not asked for are skipped, too: they have no note.
      const skipped = isFiltered
        ? allSkipped.filter((test) => noteOf(test) !== undefined)
        : allSkipped
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
  return `${test.fullName}: ${noteOf(test) ?? 'skipped without a reason'}`
}

function noteOf(test: TestCase): string | undefined {
  const result = test.result()
  return result.state === 'skipped' ? result.note : undefined
}
