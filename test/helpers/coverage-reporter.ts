import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Reporter, Vitest } from 'vitest/node'
import description from '../../generated/openapi.json' with { type: 'json' }
import {
  type Description,
  type Operation,
  readDescription,
  toObject,
} from './conformance/description.ts'

/** Prints which declared statuses of which operations the run has seen; fails where one is missing. */
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
  const { table, missing } = coverageOf(readDescription(description), seen)
  console.log(`\n${table}`)
  for (const what of missing) console.log(`documented, and seen by no test: ${what}`)
  if (missing.length > 0) process.exitCode = 1
}

/** The table of operations and statuses, and the statuses and parameters that no test has seen. */
export function coverageOf({ operations }: Description, seen: ReadonlySet<string>) {
  const statusesOf = ({ node }: Operation) => Object.keys(toObject(node['responses']))
  const columns = [...new Set(operations.flatMap(statusesOf))].sort()
  const heading = 'operation × status'
  const width = Math.max(heading.length, ...operations.map(({ operationId }) => operationId.length))
  const rows = operations.map((operation) => {
    const cells = columns.map((status) => {
      if (!statusesOf(operation).includes(status)) return '  ·'
      return seen.has(`${operation.operationId} ${status}`) ? '  ✓' : '  ✗'
    })
    return `${operation.operationId.padEnd(width)}  ${cells.join('  ')}`
  })
  const missing = operations.flatMap((operation) => {
    const parameters = operation.parameters
      .filter(({ in: place }) => place === 'query' || place === 'header')
      .map(({ name }) => name)
    return [...statusesOf(operation), ...parameters]
      .map((what) => `${operation.operationId} ${what}`)
      .filter((what) => !seen.has(what))
  })
  return { table: [`${heading.padEnd(width)}  ${columns.join('  ')}`, ...rows].join('\n'), missing }
}
