import type { Reporter, TestCase, TestModule, TestSuite } from 'vitest/node'

/** Annotate a test with this type to have what it could not look at here named at the end. */
export const leftOut = 'left out'

/** Names, as the last lines of a run, every test that was left out; with CI=true none may be. */
export function createLeftOutReporter(): Reporter {
  let isFiltered = false
  return {
    onInit(vitest) {
      isFiltered = vitest.config.testNamePattern !== undefined
    },
    onTestRunEnd(modules) {
      // With `-t` the skipped tests are those that nobody asked for.
      const skipped = isFiltered ? [] : modules.flatMap(listSkipped)
      for (const line of [...skipped.map(describeSkipped), ...modules.flatMap(describeAnnotated)]) {
        console.log(`left out: ${line}`)
      }
      if (skipped.length === 0 || !process.env['CI']) return
      console.log('with CI set nothing may be left out')
      process.exitCode = 1
    },
  }
}

function listSkipped(module: TestModule): TestCase[] {
  return [...module.children.allTests('skipped')].filter(({ parent }) => !hasBroken(parent))
}

// Where a hook fails, its tests are not left out: the failure is told already.
function hasBroken(suite: TestSuite | TestModule): boolean {
  return suite.errors().length > 0 || (suite.type === 'suite' && hasBroken(suite.parent))
}

function describeSkipped(test: TestCase): string {
  const result = test.result()
  const note = result.state === 'skipped' ? result.note : undefined
  return `${test.fullName}: ${note ?? 'skipped without a reason'}`
}

function describeAnnotated(module: TestModule): string[] {
  return [...module.children.allTests()].flatMap((test) =>
    test
      .annotations()
      .filter(({ type }) => type === leftOut)
      .map(({ message }) => `${test.fullName}: ${message}`),
  )
}
