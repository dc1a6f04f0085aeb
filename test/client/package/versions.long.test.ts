import { describe, test } from 'vitest'
import { checkJourney, checkMockHandlers, checkTypes, loaders } from './support/checks.ts'

// Other versions are installed first, and old compilers are slow.
const timeout = 600_000

describe.each([20, 22, 24])('on Node %i', { timeout }, (major) => {
  test.each(loaders)('the package works with %s', (...program) => checkJourney(major, program))
})

test.each(['5.4', '5.9', '6.0'])(
  'the types of the package compile with TypeScript %s',
  (version) => checkTypes(version),
  timeout,
)

// MSW 3 needs Node 22.12.
test.each([
  ['2', 20],
  ['2', 26],
  [undefined, 22],
])('the mock handlers work with MSW %s on Node %i', checkMockHandlers, timeout)
