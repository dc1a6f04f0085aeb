import { isDeepStrictEqual } from 'node:util'
import { acceptedCases, rejectedCases, safe } from './cases.ts'
import type { Operation } from './description.ts'
import { headCases, pathCases } from './paths.ts'
import { readBackCases, repeatedCases, snapshot } from './resources.ts'
import { type Bench, type Case, type Extent, runCases } from './run.ts'
import type { Generator } from './variations.ts'

/** The cases of an operation: those that must change nothing, and the others. */
export function casesOf(generator: Generator, operation: Operation) {
  const accepted = acceptedCases(generator, operation)
  const isSafe = safe.includes(operation.method)
  return {
    unchanging: [
      ...rejectedCases(generator, operation),
      ...headCases(generator, operation),
      ...(isSafe ? accepted : []),
    ],
    others: isSafe ? [] : [...accepted, ...repeatedCases(generator, operation)],
  }
}

/** The cases of all operations together. */
export function sharedCases(generator: Generator) {
  return { unchanging: pathCases(generator), others: readBackCases(generator) }
}

interface Cases {
  readonly unchanging: readonly Case[]
  readonly others: readonly Case[]
}

/**
 * Runs cases and reports the violations; adds to the counts how many values each check has tried.
 * What must change nothing is compared with what clients could list before.
 */
export async function findViolations(
  { unchanging, others }: Cases,
  bench: Bench,
  extent: Extent,
  counts: Map<string, number> = new Map(),
): Promise<string[]> {
  const before = await snapshot(bench)
  const reports = await runCases(unchanging, bench, extent, counts)
  const isUnchanged = isDeepStrictEqual(await snapshot(bench), before)
  const change = 'safe or rejected requests change what is stored'
  return [
    ...reports,
    ...(isUnchanged ? [] : [change]),
    ...(await runCases(others, bench, extent, counts)),
  ]
}

/** Prints how many values each check has tried. */
export function printCounts(counts: ReadonlyMap<string, number>, { runs, seed }: Extent): void {
  const rows = [...counts].sort(([one], [other]) => (one < other ? -1 : 1))
  const total = rows.reduce((sum, [, count]) => sum + count, 0)
  const width = Math.max(...rows.map(([check]) => check.length))
  const lines = [['check × requests', total] as const, ...rows].map(
    ([check, count]) => `${check.padEnd(width)}  ${String(count).padStart(6)}`,
  )
  console.log(`${lines.join('\n')}\nCONFORMANCE_SEED=${seed} CONFORMANCE_RUNS=${runs}`)
}
