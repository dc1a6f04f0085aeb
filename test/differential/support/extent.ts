/** How far a run goes. */
export interface Extent {
  /** Requests for each operation of the served description. */
  readonly runs: number
  readonly seed: number
}

/** How far a run goes, as the environment says: DIFFERENTIAL_RUNS and DIFFERENTIAL_SEED. */
export function readExtent(environment: NodeJS.ProcessEnv): Extent {
  const { DIFFERENTIAL_RUNS: runs, DIFFERENTIAL_SEED: seed } = environment
  const number = (text: string | undefined, otherwise: number) =>
    text === undefined || text === '' ? otherwise : Number.parseInt(text, 10)
  return { runs: number(runs, 100_000), seed: number(seed, Date.now() % 2 ** 31) }
}

/** The same run with fewer requests, where each is for something that is not served. */
export function shorter({ runs, seed }: Extent, divisor: number): Extent {
  return { runs: Math.max(1, Math.floor(runs / divisor)), seed }
}
