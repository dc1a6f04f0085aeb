import { defineConfig } from 'vitest/config'
import { areaIn } from './areas.ts'

export default defineConfig({
  test: {
    include: [...areaIn(process.env).tests],
    // They start programs, which are not mutated.
    exclude: [
      'test/client/left-behind.test.ts',
      'test/ops/tracing.test.ts',
      'test/store/{crash-after-commit,damaged,durability}.test.ts',
    ],
    // What is drawn at random is little, and the same for each change.
    env: {
      ...{ CONFORMANCE_SEED: '1', DIFFERENTIAL_SEED: '1' },
      DIFFERENTIAL_RUNS: '2000',
    },
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
})
