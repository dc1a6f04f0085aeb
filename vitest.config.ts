import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { createSkippedTestsReporter } from './test/helpers/skipped-tests-reporter.ts'

// Node keeps what it compiled here: tests start hundreds of programs, and compiling is a good part of
// what each of them does.
process.env['NODE_COMPILE_CACHE'] ??= join(import.meta.dirname, 'node_modules/.cache/compiled')

const long = '**/*.long.test.ts'

/** Tests that take a while; most of them start programs. */
const slow = [
  ...['**/*.process.test.ts', '**/postgres.test.ts'],
  'test/platform/{commands,deploy,durability,faults,init,releases}/**',
]

/** The tests of each `--mode`; without one, and with `npm test -- --all`, all but the long ones. */
const selections: Readonly<Record<string, { include: string[]; exclude: string[] }>> = {
  test: { include: ['test/**/*.test.ts'], exclude: [long] },
  project: { include: ['test/{api,project}/**/*.test.ts'], exclude: [long] },
  platform: { include: ['test/platform/**/*.test.ts'], exclude: [long] },
  quick: { include: ['test/**/*.test.ts'], exclude: [long, ...slow] },
  long: { include: ['test/**/*.long.test.ts'], exclude: [] },
}

export default defineConfig(({ mode }) => ({
  test: {
    ...selections[mode],
    globalSetup: 'test/helpers/fixture-project-setup.ts',
    setupFiles: 'test/helpers/file-end-setup.ts',
    // Tests that wait, for a program or a clock, leave their core to others.
    maxWorkers: availableParallelism() + 2,
    restoreMocks: true,
    unstubEnvs: true,
    // Loading the modules anew for each file would take as much time as the tests. What a helper keeps
    // for a file ends with the file: `atFileEnd`.
    isolate: false,
    // Many tests start programs; on a busy machine with two slow cores that takes minutes.
    testTimeout: mode === 'long' ? 600_000 : 300_000,
    hookTimeout: mode === 'long' ? 600_000 : 300_000,
    // What is polled is there in milliseconds; on a busy machine that takes a while, too. Less than the
    // minute for which some tests let requests wait, so that no poll sees the end of such a wait.
    expect: { poll: { timeout: 50_000, interval: 50 } },
    reporters: ['default', createSkippedTestsReporter()],
  },
}))
