import type { Outcome } from '../report/outcome.ts'
import type { Cores } from '../run/cores.ts'
import type { LoadMaker } from '../run/load.ts'

/** What parts of a run share. */
export interface Bench {
  /** For files that are needed until the run is over. */
  readonly folder: string
  /** Absent where processes cannot be held to cores. */
  readonly cores: Cores | undefined
  readonly load: LoadMaker
  /** Whether to be done soon, with figures that mean little. */
  readonly isQuick: boolean
  /** Says what is being done. */
  readonly tell: (step: string) => void
}

/** A part of the run. */
export interface Part {
  /** What a caller may choose it, or something of it, by. */
  readonly names: readonly string[]
  /** Measures what was chosen. */
  readonly run: (bench: Bench, chosen: readonly string[]) => Promise<Outcome>
}
