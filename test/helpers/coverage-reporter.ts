import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Reporter, Vitest } from 'vitest/node'
import description from '../../generated/openapi.json' with { type: 'json' }
import { type Description, readDescription, toObject } from './conformance/description.ts'

/** Fails a whole run in which no test has seen a declared status or parameter, and prints which. */
export function createCoverageReporter(): Reporter {
  const folder = mkdtempSync(join(tmpdir(), 'animal-store-coverage-'))
  const file = join(folder, 'calls.txt')
  let run: Vitest | undefined
  return {
    onInit(vitest) {
      run = vitest
      writeFileSync(file, '')
      vitest.provide('coverageFile', file)
    },
    async onTestRunEnd(modules) {
      const seen = new Set(readFileSync(file, 'utf8').split('\n'))
      rmSync(folder, { recursive: true, force: true })
      // A run of some tests, as in `npm run test:quick`, need not see everything.
      const all = (await run?.globTestSpecifications()) ?? []
      const isWhole = run?.config.testNamePattern === undefined && run?.config.mode === 'test'
      if (isWhole && modules.length === all.length) report(seen)
    },
  }
}

function report(seen: ReadonlySet<string>): void {
  const missing = findUnseen(readDescription(description), seen)
  for (const what of missing) console.log(`documented, and seen by no test: ${what}`)
  if (missing.length > 0) process.exitCode = 1
}

/** Returns the statuses and parameters of operations that no test has seen. */
export function findUnseen({ operations }: Description, seen: ReadonlySet<string>): string[] {
  return operations.flatMap(({ operationId, node, parameters }) => {
    const names = parameters
      .filter(({ in: place }) => place === 'query' || place === 'header')
      .map(({ name }) => name)
    return [...Object.keys(toObject(node['responses'])), ...names]
      .map((what) => `${operationId} ${what}`)
      .filter((what) => !seen.has(what))
  })
}
