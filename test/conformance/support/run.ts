import type { Bench, Case, Extent, Finding } from './case.ts'

/** What came of a run. */
export interface Outcome {
  readonly findings: readonly Finding[]
  /** How many values were tried, by check. */
  readonly counts: ReadonlyMap<string, number>
}

/** Holds cases against a target. */
export async function runCases(
  cases: readonly Case[],
  bench: Bench,
  extent: Extent,
): Promise<Outcome> {
  const counts = new Map<string, number>()
  const findings: Finding[] = []
  for (const each of cases) {
    const count = () => counts.set(each.check, (counts.get(each.check) ?? 0) + 1)
    const finding = await each.run(bench, extent, count)
    if (finding === undefined) continue
    findings.push(finding)
    if (extent.isFirstEnough) break
  }
  return { findings, counts }
}
