import { defineConfig } from 'vitest/config'
import { createLeftOutReporter } from './scripts/checks/left-out-reporter.ts'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    reporters: ['default', createLeftOutReporter()],
  },
})
