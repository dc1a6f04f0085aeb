import { defineConfig } from 'vitest/config'
import { areaIn } from './areas.ts'

export default defineConfig({
  test: {
    include: [...areaIn(process.env).tests],
    // It starts a program, which is not mutated.
    exclude: ['test/client/left-behind.test.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
})
