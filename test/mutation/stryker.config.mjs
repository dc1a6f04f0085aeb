// What the tests do not notice when the code is changed; docs/mutation.md tells how to run it.
import { areaIn } from './areas.ts'

const name = process.env['MUTATED']
const isShare = process.env['MUTATED_SHARE'] !== undefined
const kept = `node_modules/.cache/mutation/${name}`

export default {
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner', `${import.meta.dirname}/draw.ts`],
  // Without a share, all changes are made. What runs once, when a file is loaded, takes every test
  // each time: in a share it has no part.
  checkers: isShare ? ['draw'] : [],
  ignoreStatic: isShare,
  // Most tests ask the service by HTTP, and import no file that is mutated.
  vitest: { configFile: 'test/mutation/vitest.config.ts', pool: 'forks', related: false },
  coverageAnalysis: 'perTest',
  mutate: [...areaIn(process.env).mutate],
  ignorePatterns: ['bench/results', 'client/dist', 'data'],
  concurrency: 1,
  timeoutMS: 20_000,
  dryRunTimeoutMinutes: 15,
  tempDirName: `${kept}-copy`,
  reporters: ['progress-append-only', 'clear-text', 'json'],
  jsonReporter: { fileName: `${kept}.json` },
  clearTextReporter: { allowColor: false, reportTests: false, logTests: false },
}
