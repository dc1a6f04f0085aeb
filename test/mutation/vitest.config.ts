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
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
})
