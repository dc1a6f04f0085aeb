import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Reporter, Vitest } from 'vitest/node'
import description from '../../generated/openapi.json' with { type: 'json' }
import { operations } from '../../generated/operations.ts'
import { locate, rootOf } from '../../server/contract/description/description.ts'

/** Prints which documented status of which operation the run has seen; fails where one is missing. */
export function createStatusTable(): Reporter {
  const folder = mkdtempSync(join(tmpdir(), 'animal-store-answers-'))
  const file = join(folder, 'answers.txt')
  let run: Vitest | undefined
  return {
    onInit(vitest) {
      run = vitest
      writeFileSync(file, '')
      vitest.provide('observationsFile', file)
    },
    async onTestRunEnd(modules) {
      const seen = new Set(readFileSync(file, 'utf8').split('\n'))
      rmSync(folder, { recursive: true, force: true })
      // A run of some tests is not expected to see everything.
      const everything = (await run?.globTestSpecifications()) ?? []
      const isWhole = run?.config.testNamePattern === undefined
      if (isWhole && modules.length === everything.length) report(seen)
    },
  }
}

function report(seen: ReadonlySet<string>): void {
  const documented = Object.values(operations).map(({ operationId, path, method }) => {
    const responses = locate(description, rootOf(description), 'paths', path, method, 'responses')
    return { operationId, statuses: Object.keys(responses?.node ?? {}) }
  })
  const parameters = Object.values(operations).flatMap(({ operationId, parameters }) =>
    [...Object.keys(parameters.query), ...Object.keys(parameters.header)].map(
      (name) => `${operationId} ${name}`,
    ),
  )
  const columns = [...new Set(documented.flatMap(({ statuses }) => statuses))].sort()
  const width = Math.max(...documented.map(({ operationId }) => operationId.length))
  const holes = parameters.filter((parameter) => !seen.has(parameter))
  console.log(`\n${'operation × status'.padEnd(width)}  ${columns.join('  ')}`)
  for (const { operationId, statuses } of documented) {
    const cells = columns.map((status) => {
      if (!statuses.includes(status)) return '  ·'
      if (seen.has(`${operationId} ${status}`)) return '  ✓'
      holes.push(`${operationId} ${status}`)
      return '  ✗'
    })
    console.log(`${operationId.padEnd(Math.max(width, 18))}  ${cells.join('  ')}`)
  }
  for (const hole of holes) console.log(`documented, and seen by no test: ${hole}`)
  if (holes.length > 0) process.exitCode = 1
}
