import type { Extent } from './case.ts'

const usualRuns = 5

/** How far a run goes, as the environment says: CONFORMANCE_RUNS and CONFORMANCE_SEED. */
export function readExtent(environment: NodeJS.ProcessEnv): Extent & { readonly timeout: number } {
  const { CONFORMANCE_RUNS: runs, CONFORMANCE_SEED: seed } = environment
  const number = (text: string | undefined, otherwise: number) =>
    text === undefined || text === '' ? otherwise : Number.parseInt(text, 10)
  const values = number(runs, usualRuns)
  return {
    runs: values,
    seed: number(seed, Date.now() % 2 ** 31),
    isFirstEnough: false,
    timeout: Math.max(60_000, values * 3_000),
  }
}

/** Prints how many values each check has tried. */
export function printTable(tried: ReadonlyMap<string, number>, { seed, runs }: Extent): void {
  const rows = [...tried].sort(([one], [other]) => (one < other ? -1 : 1))
  const width = Math.max(...rows.map(([check]) => check.length))
  const total = rows.reduce((sum, [, count]) => sum + count, 0)
  const lines = [['check × cases', total] as const, ...rows]
  const table = lines.map(
    ([check, count]) => `${check.padEnd(width)}  ${String(count).padStart(6)}`,
  )
  console.log(`${table.join('\n')}\nCONFORMANCE_SEED=${seed} CONFORMANCE_RUNS=${runs}`)
}
