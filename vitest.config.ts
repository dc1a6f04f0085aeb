import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { createLeftOutReporter } from './scripts/checks/left-out-reporter.ts'
import { createStatusTable } from './test/support/status-table.ts'
import { createTrafficReporter } from './test/support/traffic/traffic-reporter.ts'

// Node keeps what it compiled here: tests start hundreds of programs, and compiling is a good part of
// what each of them does.
process.env['NODE_COMPILE_CACHE'] ??= join(import.meta.dirname, 'node_modules/.cache/compiled')

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/package/support/run-folder.ts'],
    // Tests that wait, for a program or a clock, leave their core to others.
    maxWorkers: availableParallelism() + 2,
    // Many tests start programs; on a busy machine with two slow cores that takes a while.
    testTimeout: 90_000,
    hookTimeout: 90_000,
    reporters: ['default', createStatusTable(), createTrafficReporter(), createLeftOutReporter()],
  },
})
